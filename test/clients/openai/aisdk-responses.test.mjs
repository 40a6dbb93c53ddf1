// npm ai with @ai-sdk/openai, which speaks the Responses API by default.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, Output, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, grounded, loop, slow } from './conversation.mjs';

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {import('../gateway.mjs').Gateway} gateway */
const connect = (gateway) => createOpenAI({ baseURL: gateway.openai, apiKey: 'any' });

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

/**
 * Ways to go on: what the client names by its id is kept by the gateway, or the client sends it all again.
 * @type {Record<string, { flags: string[], providerOptions?: { openai: Record<string, any> } }>}
 */
const memories = {
  'with its defaults, and a store': { flags: ['--store', 'memory'] },
  'with store off': { flags: [], providerOptions: { openai: { store: false } } },
  'with store off, reasoning': { flags: [], providerOptions: { openai: { store: false, forceReasoning: true, include: ['reasoning.encrypted_content'] } } },
};

describe('ai with @ai-sdk/openai', () => {
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
    assert.deepEqual(await stream.totalUsage, whole.totalUsage);
  });

  for (const [name, { flags, providerOptions }] of Object.entries(memories)) {
    test(`a loop of three turns, ${name}`, () =>
      through({ script: loop(), flags }, async (provider) => {
        const { text, steps } = await generateText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6), providerOptions });
        assert.equal(text, booked);
        assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
      }));

    test(`a loop of three turns, streamed, ${name}`, () =>
      through({ script: loop(), flags }, async (provider) => {
        const stream = streamText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6), providerOptions });
        for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
        assert.equal(await stream.text, booked);
        assert.deepEqual((await stream.steps).map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
      }));
  }

  test('CL6: with store off, text, sources, calls, counts and the reason of the end are those of Gemini', async () => {
    const providerOptions = { openai: { store: false } };
    const usage = { promptTokenCount: 11, candidatesTokenCount: 5, thoughtsTokenCount: 3, totalTokenCount: 19 };
    const script = {
      fixtures: [
        { match: { prompt: 'warm' }, reply: { blocks: [{ call: { name: 'get_weather', args: { city: 'Porto' } } }], usage } },
        { match: { prompt: 'new' }, reply: { blocks: grounded().fixtures[0].reply, usage } },
        { match: { prompt: 'long' }, reply: { blocks: [{ text: 'Once upon' }], finishReason: 'MAX_TOKENS', usage } },
      ],
    };
    await through({ script }, async (provider) => {
      const { get_weather } = tools;
      for (const { prompt, offered, want } of [
        { prompt: 'Is it warm?', offered: { get_weather: { ...get_weather, execute: undefined } }, want: { text: '', sources: [], calls: ['get_weather {"city":"Porto"}'], finish: 'tool-calls' } },
        { prompt: 'What is new?', offered: { web_search: /** @type {any} */ (provider.tools.webSearch()) }, want: { text: 'The tower is closed.', sources: ['https://news.example/tower'], calls: [], finish: 'stop' } },
        { prompt: 'Tell a long story.', offered: {}, want: { text: 'Once upon', sources: [], calls: [], finish: 'length' } },
      ]) {
        const request = { model: provider(model), prompt, tools: /** @type {any} */ (offered), providerOptions };
        const whole = await generateText(request);
        const stream = streamText(request);
        const streamed = { text: await stream.text, sources: await stream.sources, toolCalls: await stream.toolCalls, finishReason: await stream.finishReason, usage: await stream.totalUsage };
        for (const { text, sources, toolCalls, finishReason, usage } of [whole, streamed]) {
          const calls = toolCalls.filter(({ providerExecuted }) => !providerExecuted).map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`);
          assert.deepEqual({ text, sources: sources.map((source) => source.sourceType === 'url' && source.url), calls, finish: finishReason }, want);
          assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [11, 8, 19]);
        }
      }
    });
  });

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
      const request = { model: provider(model), prompt, providerOptions: { openai: { store: false, forceReasoning: true, reasoningSummary: 'auto' } } };
      const whole = await generateText(request);
      assert.deepEqual([whole.reasoningText, whole.text], ['The light scatters.', 'It scatters.']);
      const stream = streamText(request);
      assert.deepEqual([await stream.reasoningText, await stream.text], ['The light scatters.', 'It scatters.']);
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
      assert.deepEqual(await own.answered(2), ['POST /v1/responses 429', 'POST /v1/responses 200']);
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

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (provider) => {
      const { text, sources } = await generateText({ model: provider(model), prompt: 'What is new?', tools: { web_search: /** @type {any} */ (gemwire.tools.webSearch()) } });
      assert.equal(text, 'The tower is closed.');
      assert.deepEqual(sources.map((source) => source.sourceType === 'url' && source.url), ['https://news.example/tower']);
    }));

  test('an unknown model is refused, once', () =>
    assert.rejects(generateText({ model: gemwire('gemmini-9'), prompt }), (error) => {
      assert.ok(APICallError.isInstance(error), String(error));
      assert.equal(error.statusCode, 404);
      assert.match(error.message, /gemmini-9/);
      return true;
    }));
});
