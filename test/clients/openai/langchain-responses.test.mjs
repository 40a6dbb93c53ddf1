// npm @langchain/openai by the Responses API: OpenAI's models for LangChain, which keep the items of a response and send
// them again.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, grounded, loop, slow } from './conversation.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} Message */
/** @typedef {import('../gateway.mjs').Gateway} Gateway */

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {Gateway} gateway */
const connect = (gateway, options = {}) =>
  new ChatOpenAI({ model, apiKey: 'any', maxRetries: 0, useResponsesApi: true, configuration: { baseURL: gateway.openai }, ...options });

/** @type {Gateway} */
let gateway;
before(async () => {
  gateway = await serve();
});
after(() => gateway.close());

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(gateway: Gateway) => Promise<void>} run
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
 * Returns the answer that a stream is.
 * @param {AsyncIterable<import('@langchain/core/messages').AIMessageChunk>} stream
 */
async function gather(stream) {
  /** @type {import('@langchain/core/messages').AIMessageChunk | undefined} */
  let answer;
  for await (const chunk of stream) answer = answer ? answer.concat(chunk) : chunk;
  assert.ok(answer);
  return answer;
}

/**
 * Answers whole and streamed.
 * @param {{ invoke: (input: any) => Promise<any>, stream: (input: any) => Promise<AsyncIterable<any>> }} chat
 * @param {string | Message[]} input
 */
const both = async (chat, input) => [await chat.invoke(input), await gather(await chat.stream(input))];

const tools = [
  tool(() => '', { name: 'get_weather', schema: z.object({ city: z.string() }) }),
  tool(() => '', { name: 'book_table', schema: z.object({ city: z.string(), people: z.number().int() }) }),
];

describe('@langchain/openai by the Responses API', () => {
  test('an answer is whole', async () => {
    const { text, usage_metadata: usage } = await connect(gateway).invoke([new SystemMessage('Be brief.'), new HumanMessage(prompt)]);
    assert.match(text, /Why is the sky blue\?/);
    assert.ok(usage && usage.input_tokens > 0);
    assert.equal(usage.input_tokens + usage.output_tokens, usage.total_tokens);
  });

  test('a stream is the answer in pieces, with usage', async () => {
    const whole = await connect(gateway).invoke('Tell me more [words 60]');
    const pieces = [];
    let usage;
    for await (const chunk of await connect(gateway).stream('Tell me more [words 60]')) {
      pieces.push(chunk.text);
      usage = chunk.usage_metadata ?? usage;
    }
    assert.ok(pieces.filter((piece) => piece !== '').length > 1);
    assert.equal(pieces.join(''), whole.text);
    assert.equal(usage?.total_tokens, whole.usage_metadata?.total_tokens);
  });

  // With zdrEnabled the client makes the items anew, and puts no encrypted_content into those of a stream.
  for (const { name, streams, zdrEnabled } of [
    { name: 'whole', streams: false, zdrEnabled: false },
    { name: 'streamed', streams: true, zdrEnabled: false },
    { name: 'whole, with items made anew', streams: false, zdrEnabled: true },
  ]) {
    test(`CL9: a loop of three turns, ${name}`, () =>
      through({ script: loop() }, async (own) => {
        const chat = connect(own, { zdrEnabled }).bindTools(tools);
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
    for (const method of /** @type {const} */ (['jsonSchema', 'functionCalling'])) {
      schema.parse(await connect(gateway).withStructuredOutput(schema, { method, name: 'ticket' }).invoke('File a ticket.'));
    }
  });

  test('an image and a file are taken', async () => {
    const { text } = await connect(gateway).invoke([
      new HumanMessage({
        content: [
          { type: 'text', text: 'What is in these?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${emptyPNG}` } },
          { type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${emptyPDF}` },
        ],
      }),
    ]);
    for (const media of ['image/png', 'application/pdf']) assert.match(text, new RegExp(media));
  });

  test('thoughts are summaries', () =>
    through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (own) => {
      for (const answer of await both(connect(own, { reasoning: { summary: 'auto' } }), prompt)) {
        const { summary } = /** @type {{ summary: { text: string }[] }} */ (answer.additional_kwargs.reasoning);
        assert.deepEqual(summary.map(({ text }) => text), ['The light scatters.']);
        const thoughts = answer.contentBlocks.filter((/** @type {{ type: string }} */ { type }) => type === 'reasoning');
        assert.equal(thoughts.map((/** @type {{ reasoning: string }} */ { reasoning }) => reasoning).join(''), 'The light scatters.');
        assert.equal(answer.text, 'It scatters.');
      }
    }));

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (own) => {
      for (const answer of await both(connect(own).bindTools([{ type: 'web_search' }]), 'What is new?')) {
        assert.equal(answer.text, 'The tower is closed.');
        const annotations = answer.content.flatMap((/** @type {{ annotations?: object[] }} */ block) => block.annotations ?? []);
        assert.deepEqual(annotations.map((/** @type {{ url?: string }} */ { url }) => url), ['https://news.example/tower']);
      }
    }));

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (own) => {
      for await (const chunk of await connect(own).stream('slowly')) {
        if (chunk.text !== '') break;
      }
      assert.equal((await own.asked(1)).length, 1);
    }));

  test('an unknown model is refused', () => assert.rejects(connect(gateway, { model: 'gemmini-9' }).invoke(prompt), /gemmini-9/));

  test('a wrong key is refused', () =>
    through({ key: 'right', flags: ['--callers-key'] }, (own) => assert.rejects(connect(own).invoke(prompt), /API key not valid/)));

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (own) => {
      assert.equal((await connect(own, { maxRetries: 2 }).invoke(prompt)).text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/responses 429', 'POST /v1/responses 200']);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (own) => {
      let text = '';
      await assert.rejects(async () => {
        for await (const chunk of await connect(own).stream(prompt)) text += chunk.text;
      });
      assert.equal(text, 'The beginning');
    });
  });
});
