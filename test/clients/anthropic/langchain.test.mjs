// npm @langchain/anthropic: Anthropic's models for LangChain.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, grounded, loop, slow } from './conversation.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} Message */

const model = 'gemini-3.6-flash';

/** @param {import('../gateway.mjs').Gateway} gateway */
const connect = (gateway, options = {}) => new ChatAnthropic({ model, apiKey: 'any', anthropicApiUrl: gateway.url, maxRetries: 0, maxTokens: 4000, ...options });

/** @type {import('../gateway.mjs').Gateway} */
let gateway;
before(async () => {
  gateway = await serve();
});
after(() => gateway.close());

const tools = [
  tool(() => '', { name: 'get_weather', schema: z.object({ city: z.string() }) }),
  tool(() => '', { name: 'book_table', schema: z.object({ city: z.string(), people: z.number().int() }) }),
];

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
 * Answers whole and streamed.
 * @param {{ invoke: (input: string) => Promise<any>, stream: (input: string) => Promise<AsyncIterable<any>> }} chat
 * @param {string} input
 */
const both = async (chat, input) => [await chat.invoke(input), await gather(await chat.stream(input))];

describe('@langchain/anthropic', () => {
  test('an answer is whole', async () => {
    const { text, usage_metadata: usage } = await connect(gateway).invoke([new SystemMessage('Be brief.'), new HumanMessage('Why is the sky blue?')]);
    assert.match(text, /Why is the sky blue\?/);
    assert.ok(usage && usage.input_tokens > 0 && usage.output_tokens > 0);
  });

  test('a stream is the answer in pieces', async () => {
    const whole = await connect(gateway).invoke('Tell me more [words 60]');
    const pieces = [];
    for await (const chunk of await connect(gateway).stream('Tell me more [words 60]')) pieces.push(chunk.text);
    assert.ok(pieces.filter((piece) => piece !== '').length > 1);
    assert.equal(pieces.join(''), whole.text);
  });

  for (const streams of [false, true]) {
    test(`a loop of three turns${streams ? ', streamed' : ''}`, async () => {
      const own = await serve({ script: loop() });
      try {
        const chat = connect(own).bindTools(tools);
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
      } finally {
        await own.close();
      }
    });
  }

  test('an answer follows the schema', async () => {
    const schema = z.object({ title: z.string(), points: z.number().int() });
    schema.parse(await connect(gateway).withStructuredOutput(schema, { name: 'ticket' }).invoke('File a ticket.'));
  });

  test('an image and a PDF are taken', async () => {
    const { text } = await connect(gateway).invoke([
      new HumanMessage({
        content: [
          { type: 'text', text: 'What is in these?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${emptyPNG}` } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: emptyPDF } },
        ],
      }),
    ]);
    for (const media of ['image/png', 'application/pdf']) assert.match(text, new RegExp(media));
  });

  test('thoughts are shown', () =>
    through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (own) => {
      for (const answer of await both(connect(own, { thinking: { type: 'enabled', budget_tokens: 2000 } }), 'Why is the sky blue?')) {
        const thought = answer.content.find((/** @type {{ type: string }} */ { type }) => type === 'thinking');
        assert.equal(thought.thinking, 'The light scatters.');
        assert.equal(answer.text, 'It scatters.');
      }
    }));

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (own) => {
      for (const answer of await both(connect(own).bindTools([{ type: 'web_search_20250305', name: 'web_search' }]), 'What is new?')) {
        assert.equal(answer.text, 'The tower is closed.');
        assert.match(JSON.stringify(answer.content), /web_search_tool_result.*https:\/\/news\.example\/tower/);
      }
    }));

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (own) => {
      for await (const chunk of await connect(own).stream('slowly')) {
        if (chunk.text !== '') break;
      }
      assert.equal((await own.asked(1)).length, 1);
    }));

  test('an unknown model and a wrong key are refused', async () => {
    await assert.rejects(connect(gateway, { model: 'gemmini-9' }).invoke('Why?'), /gemmini-9/);
    await through({ key: 'right', flags: ['--callers-key'] }, (own) => assert.rejects(connect(own).invoke('Why?'), /API key not valid/));
  });

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (own) => {
      assert.equal((await connect(own, { maxRetries: 2 }).invoke('Why?')).text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/messages 429', 'POST /v1/messages 200']);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (own) => {
      let text = '';
      await assert.rejects(async () => {
        for await (const chunk of await connect(own).stream('Why?')) text += chunk.text;
      });
      assert.equal(text, 'The beginning');
    });
  });
});
