// npm ai with @ai-sdk/anthropic: the AI SDK on a server of Anthropic's API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { APICallError, Output, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, grounded, loop, slow } from './conversation.mjs';

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {import('../gateway.mjs').Gateway} gateway */
const connect = (gateway) => createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: 'any' });

/** @type {import('../gateway.mjs').Gateway} */
let gateway;
/** @type {ReturnType<typeof connect>} */
let gemwire;
before(async () => {
  gateway = await serve();
  gemwire = connect(gateway);
});
after(() => gateway.close());

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(provider: ReturnType<typeof connect>, gateway: import('../gateway.mjs').Gateway) => Promise<void>} run
 */
async function through(options, run) {
  const own = await serve(options);
  try {
    await run(connect(own), own);
  } finally {
    await own.close();
  }
}

const tools = {
  get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => ({ degrees: 21 }) }),
  book_table: tool({ inputSchema: z.object({ city: z.string(), people: z.number().int() }), execute: async () => ({ isBooked: true }) }),
};

describe('ai with @ai-sdk/anthropic', () => {
  test('an answer is whole', async () => {
    const { text, finishReason, usage } = await generateText({ model: gemwire(model), prompt });
    assert.match(text, /Why is the sky blue\?/);
    assert.equal(finishReason, 'stop');
    assert.ok(usage.inputTokens && usage.outputTokens);
  });

  test('a stream is the answer in pieces, with usage', async () => {
    const request = { model: gemwire(model), prompt: 'Tell me more [words 60]' };
    const whole = await generateText(request);
    const stream = streamText(request);
    const pieces = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(''), whole.text);
    assert.equal(await stream.finishReason, 'stop');
    assert.equal((await stream.totalUsage).outputTokens, whole.totalUsage.outputTokens);
  });

  for (const thinking of /** @type {const} */ ([undefined, { type: 'enabled', budgetTokens: 2000 }])) {
    const options = thinking ? { providerOptions: { anthropic: { thinking } } } : {};
    test(`a loop of three turns${thinking ? ', thinking' : ''}`, () =>
      through({ script: loop() }, async (provider) => {
        const { text, steps } = await generateText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6), ...options });
        assert.equal(text, booked);
        assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
      }));

    test(`a loop of three turns, streamed${thinking ? ', thinking' : ''}`, () =>
      through({ script: loop() }, async (provider) => {
        const stream = streamText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6), ...options });
        for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
        assert.equal(await stream.text, booked);
        assert.deepEqual((await stream.steps).map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
      }));
  }

  test('an answer follows the schema', async () => {
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int() });
    const { output } = await generateText({ model: gemwire(model), prompt: 'File a ticket.', output: Output.object({ schema }) });
    schema.parse(output);
  });

  test('an image and a file are taken', async () => {
    const { text } = await generateText({
      model: gemwire(model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?' },
            { type: 'image', image: new Uint8Array(1 << 16), mediaType: 'image/png' },
            { type: 'file', data: new Uint8Array(1 << 10), mediaType: 'application/pdf', filename: 'report.pdf' },
          ],
        },
      ],
    });
    for (const media of ['image/png', 'application/pdf']) assert.match(text, new RegExp(media));
  });

  test('thoughts are shown', () =>
    through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (provider) => {
      const request = { model: provider(model), prompt, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } } };
      const whole = await generateText(request);
      assert.deepEqual([whole.reasoningText, whole.text], ['The light scatters.', 'It scatters.']);
      const stream = streamText(request);
      assert.deepEqual([await stream.reasoningText, await stream.text], ['The light scatters.', 'It scatters.']);
    }));

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (provider) => {
      const request = { model: provider(model), prompt: 'What is new?', tools: { web_search: /** @type {any} */ (gemwire.tools.webSearch_20250305()) } };
      const whole = await generateText(request);
      const stream = streamText(request);
      for (const { text, sources } of [whole, { text: await stream.text, sources: await stream.sources }]) {
        assert.equal(text, 'The tower is closed.');
        assert.deepEqual([...new Set(sources.map((source) => source.sourceType === 'url' && source.url))], ['https://news.example/tower']);
      }
    }));

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (provider, { asked }) => {
      const leaving = new AbortController();
      const { fullStream } = streamText({ model: provider(model), prompt: 'slowly', abortSignal: leaving.signal });
      for await (const part of fullStream) if (part.type === 'text-delta') leaving.abort();
      assert.equal((await asked(1)).length, 1);
    }));

  test('a wrong key is refused', () =>
    through({ key: 'right', flags: ['--callers-key'] }, (provider) =>
      assert.rejects(generateText({ model: provider(model), prompt }), (error) => APICallError.isInstance(error) && error.statusCode === 401)));

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (provider, own) => {
      assert.equal((await generateText({ model: provider(model), prompt })).text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/messages 429', 'POST /v1/messages 200']);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (provider) => {
      const types = [];
      let text = '';
      for await (const part of streamText({ model: provider(model), prompt, onError: () => {} }).fullStream) {
        types.push(part.type);
        if (part.type === 'text-delta') text += part.text;
      }
      assert.ok(types.includes('error'), String(types));
      assert.equal(text, 'The beginning');
    });
  });

  test('an unknown model is refused, once', async () => {
    await assert.rejects(generateText({ model: gemwire('gemmini-9'), prompt }), (error) => {
      assert.ok(APICallError.isInstance(error), String(error));
      assert.equal(error.statusCode, 404);
      assert.match(error.message, /gemmini-9/);
      return true;
    });
  });
});
