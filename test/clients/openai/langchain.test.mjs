// npm @langchain/openai: OpenAI's models for LangChain, which keep of a call what OpenAI has, and no extensions.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, loop, slow } from './conversation.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} Message */

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {string} baseURL */
const connect = (baseURL, options = {}) => new ChatOpenAI({ model, apiKey: 'any', maxRetries: 0, configuration: { baseURL }, ...options });

/** @type {import('../gateway.mjs').Gateway} */
let gateway;
before(async () => {
  gateway = await serve();
});
after(() => gateway.close());

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(gateway: import('../gateway.mjs').Gateway) => Promise<void>} run
 */
async function through(options, run) {
  const own = await serve(options);
  try {
    await run(own);
  } finally {
    await own.close();
  }
}

/**
 * Returns the answer that a stream is. With the option streaming the client would do this by itself, and then fetch the
 * tables of a tokenizer.
 * @param {AsyncIterable<import('@langchain/core/messages').AIMessageChunk>} stream
 */
async function gather(stream) {
  /** @type {import('@langchain/core/messages').AIMessageChunk | undefined} */
  let answer;
  for await (const chunk of stream) answer = answer ? answer.concat(chunk) : chunk;
  assert.ok(answer);
  return answer;
}

const tools = [
  tool(() => '', { name: 'get_weather', schema: z.object({ city: z.string() }) }),
  tool(() => '', { name: 'book_table', schema: z.object({ city: z.string(), people: z.number().int() }) }),
];

describe('@langchain/openai', () => {
  test('an answer is whole', async () => {
    const { text, usage_metadata: usage } = await connect(gateway.openai).invoke([new SystemMessage('Be brief.'), new HumanMessage(prompt)]);
    assert.match(text, /Why is the sky blue\?/);
    assert.ok(usage && usage.input_tokens > 0);
    assert.equal(usage.input_tokens + usage.output_tokens, usage.total_tokens);
  });

  test('a stream is the answer in pieces, with usage', async () => {
    const whole = await connect(gateway.openai).invoke('Tell me more [words 60]');
    const pieces = [];
    let usage;
    for await (const chunk of await connect(gateway.openai).stream('Tell me more [words 60]')) {
      pieces.push(chunk.text);
      usage = chunk.usage_metadata ?? usage;
    }
    assert.ok(pieces.filter((piece) => piece !== '').length > 1);
    assert.equal(pieces.join(''), whole.text);
    assert.equal(usage?.total_tokens, whole.usage_metadata?.total_tokens);
  });

  for (const streams of [false, true]) {
    test(`a loop of three turns${streams ? ', streamed' : ''}`, () =>
      through({ script: loop() }, async ({ openai }) => {
        const chat = connect(openai).bindTools(tools);
        /** @type {Message[]} */
        const messages = [new HumanMessage('Book a table where it is warm.')];
        const counts = [];
        for (let turn = 0; turn < 4; turn++) {
          const answer = streams ? await gather(await chat.stream(messages)) : await chat.invoke(messages);
          messages.push(answer);
          const calls = answer.tool_calls ?? [];
          counts.push(calls.length);
          for (const { id = '', name } of calls) messages.push(new ToolMessage({ content: '{"degrees":21}', tool_call_id: id, name }));
        }
        assert.deepEqual(counts, [2, 1, 1, 0]);
        assert.equal(messages.at(-1)?.text, booked);
      }));
  }

  test('an answer follows the schema', async () => {
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int() });
    for (const method of /** @type {const} */ (['jsonSchema', 'functionCalling', 'jsonMode'])) {
      const answer = await connect(gateway.openai).withStructuredOutput(schema, { method, name: 'ticket' }).invoke('File a ticket.').catch((error) => error);
      if (method === 'jsonMode') assert.ok(answer); // in which nobody tells the model of the schema
      else schema.parse(answer);
    }
  });

  test('there are as many answers as are asked for', async () => {
    const { generations } = await connect(gateway.openai, { model: 'gemini-4-argon', n: 3 }).generate([[new HumanMessage(prompt)]]);
    assert.equal(generations[0].length, 3);
  });

  test('log probabilities are told', async () => {
    const { response_metadata: told, text } = await connect(gateway.openai, { model: 'gemini-4-argon', logprobs: true, topLogprobs: 2 }).invoke(prompt);
    assert.equal(/** @type {any} */ (told.logprobs).content.map((/** @type {{ token: string }} */ { token }) => token).join(''), text);
  });

  test('an image and a file are taken', async () => {
    const { text } = await connect(gateway.openai).invoke([
      new HumanMessage({
        content: [
          { type: 'text', text: 'What is in these?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${emptyPNG}` } },
          { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${emptyPDF}` } },
        ],
      }),
    ]);
    for (const media of ['image/png', 'application/pdf']) assert.match(text, new RegExp(media));
  });

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (own) => {
      for await (const chunk of await connect(own.openai).stream('slowly')) {
        if (chunk.text !== '') break;
      }
      assert.match((await own.asked(1))[0], / \d+ms$| \d(\.\d+)?s$|cut/);
    }));

  test('texts are embedded', async () => {
    const embedder = new OpenAIEmbeddings({ model: 'gemini-embedding-001', apiKey: 'any', dimensions: 256, configuration: { baseURL: gateway.openai } });
    const vectors = await embedder.embedDocuments(['Tea', 'Coffee']);
    assert.deepEqual(vectors.map((values) => values.length), [256, 256]);
    const alone = await embedder.embedQuery('Tea');
    assert.ok(alone.every((value, i) => Math.abs(value - vectors[0][i]) < 1e-6));
  });

  test('an unknown model is refused', () => assert.rejects(connect(gateway.openai, { model: 'gemmini-9' }).invoke(prompt), /gemmini-9/));

  test('a wrong key is refused', () =>
    through({ key: 'right', flags: ['--callers-key'] }, ({ openai }) => assert.rejects(connect(openai).invoke(prompt), /API key not valid/)));

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (own) => {
      assert.equal((await connect(own.openai, { maxRetries: 2 }).invoke(prompt)).text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/chat/completions 429', 'POST /v1/chat/completions 200']);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async ({ openai }) => {
      let text = '';
      await assert.rejects(async () => {
        for await (const chunk of await connect(openai).stream(prompt)) text += chunk.text;
      });
      assert.equal(text, 'The beginning');
    });
  });
});
