// npm @langchain/anthropic: Anthropic's models for LangChain.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPNG, loop } from './conversation.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} Message */

const model = 'gemini-3.5-flash';

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

  test('an image is taken', async () => {
    const { text } = await connect(gateway).invoke([
      new HumanMessage({
        content: [
          { type: 'text', text: 'What is in this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${emptyPNG}` } },
        ],
      }),
    ]);
    assert.match(text, /image\/png/);
  });
});
