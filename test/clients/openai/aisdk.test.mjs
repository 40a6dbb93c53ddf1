// npm ai with @ai-sdk/openai-compatible: the AI SDK on an OpenAI-compatible server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, Output, embedMany, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, loop, slow } from './conversation.mjs';

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {string} baseURL */
const connect = (baseURL) => createOpenAICompatible({ name: 'gemwire', baseURL, apiKey: 'any', includeUsage: true, supportsStructuredOutputs: true });

/** @type {import('../gateway.mjs').Gateway} */
let gateway;
/** @type {ReturnType<typeof connect>} */
let gemwire;
before(async () => {
  gateway = await serve();
  gemwire = connect(gateway.openai);
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
    await run(connect(own.openai), own);
  } finally {
    await own.close();
  }
}

const tools = {
  get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => ({ degrees: 21 }) }),
  book_table: tool({ inputSchema: z.object({ city: z.string(), people: z.number().int() }), execute: async () => ({ isBooked: true }) }),
};

describe('ai with @ai-sdk/openai-compatible', () => {
  test('an answer is whole', async () => {
    const { text, finishReason, usage, warnings } = await generateText({ model: gemwire(model), prompt });
    assert.match(text, /Why is the sky blue\?/);
    assert.equal(finishReason, 'stop');
    assert.deepEqual(warnings, []);
    assert.ok(usage.inputTokens && usage.outputTokens);
    assert.equal(usage.inputTokens + usage.outputTokens, usage.totalTokens);
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

  test('a loop of three turns', () =>
    through({ script: loop() }, async (provider) => {
      const { text, steps } = await generateText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6) });
      assert.equal(text, booked);
      assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
    }));

  test('a loop of three turns, streamed', () =>
    through({ script: loop() }, async (provider) => {
      const stream = streamText({ model: provider(model), prompt: 'Book a table where it is warm.', tools, stopWhen: stepCountIs(6) });
      for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
      assert.equal(await stream.text, booked);
      assert.deepEqual((await stream.steps).map(({ toolCalls }) => toolCalls.length), [2, 1, 1, 0]);
    }));

  test('an answer follows the schema', async () => {
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int(), labels: z.array(z.string()) });
    const { output } = await generateText({ model: gemwire(model), prompt: 'File a ticket.', output: Output.object({ schema }) });
    schema.parse(output);
  });

  test('an image, a file and sound are taken', async () => {
    const { text } = await generateText({
      model: gemwire(model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?' },
            { type: 'image', image: new Uint8Array(1 << 20), mediaType: 'image/png' },
            { type: 'file', data: new Uint8Array(1 << 10), mediaType: 'application/pdf', filename: 'report.pdf' },
            { type: 'file', data: new Uint8Array(1 << 10), mediaType: 'audio/wav' },
          ],
        },
      ],
    });
    for (const media of ['image/png', 'application/pdf', 'audio/wav']) assert.match(text, new RegExp(media));
  });

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (provider, own) => {
      const abort = new AbortController();
      const stream = streamText({ model: provider(model), prompt: 'slowly', abortSignal: abort.signal });
      for await (const part of stream.fullStream) {
        if (part.type === 'text-delta') abort.abort();
      }
      assert.match((await own.asked(1))[0], / \d+ms$| \d(\.\d+)?s$|cut/);
    }));

  test('texts are embedded', async () => {
    const { embeddings, usage } = await embedMany({
      model: gemwire.embeddingModel('gemini-embedding-001'),
      values: ['Tea', 'Coffee'],
      providerOptions: { gemwire: { dimensions: 256 } },
    });
    assert.deepEqual(embeddings.map((values) => values.length), [256, 256]);
    assert.ok(usage.tokens > 0);
  });

  test('an unknown model is refused, once', () =>
    through({}, async (provider, own) => {
      await refused(generateText({ model: provider('gemmini-9'), prompt }), 404, /gemmini-9/);
      await own.answered(1);
    }));

  test('a wrong request is refused, once', () =>
    through({}, async (provider, own) => {
      await refused(generateText({ model: provider(model), prompt, temperature: 9 }), 400, /temperature/);
      await own.answered(1);
    }));

  test('a wrong key is refused', () =>
    through({ key: 'right', flags: ['--callers-key'] }, (provider) => refused(generateText({ model: provider(model), prompt }), 401, /API key not valid/)));

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (provider, own) => {
      assert.equal((await generateText({ model: provider(model), prompt })).text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/chat/completions 429', 'POST /v1/chat/completions 200']);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (provider) => {
      const stream = streamText({ model: provider(model), prompt, onError() {} });
      const types = [];
      for await (const { type } of stream.fullStream) types.push(type);
      assert.ok(types.includes('text-delta') && types.includes('error'), types.join());
      assert.equal(await stream.finishReason, 'error');
    });
  });
});

/**
 * Sees that the server refuses in a given way.
 * @param {Promise<unknown>} call
 * @param {number} status
 * @param {RegExp} message
 */
async function refused(call, status, message) {
  await assert.rejects(call, (error) => {
    assert.ok(APICallError.isInstance(error), String(error));
    assert.equal(error.statusCode, status, error.message);
    assert.match(error.message, message);
    return true;
  });
}
