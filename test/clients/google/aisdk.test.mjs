// npm @ai-sdk/google: Gemini for the AI SDK.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { APICallError, Output, embed, embedMany, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { emulate } from './emulator.mjs';

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @type {Awaited<ReturnType<typeof emulate>>} */
let server;
/** @type {ReturnType<typeof createGoogleGenerativeAI>} */
let google;
before(async () => {
  server = await emulate();
  google = createGoogleGenerativeAI({ baseURL: `${server.url}/v1beta`, apiKey: 'any' });
});
after(() => server.close());

const weather = tool({
  description: 'Returns the weather of a city.',
  inputSchema: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
  execute: async ({ city, unit }) => ({ city, unit, degrees: 21 }),
});

/** A loop of three steps, the first two of which call. */
const threeSteps = {
  tools: { get_weather: weather },
  maxRetries: 0,
  stopWhen: stepCountIs(3),
  /** @param {{ stepNumber: number }} step */
  prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber < 2 ? /** @type {const} */ ('required') : /** @type {const} */ ('none') }),
};

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

describe('@ai-sdk/google', () => {
  test('an answer is whole', async () => {
    const { text, finishReason, usage, warnings } = await generateText({ model: google(model), prompt });
    assert.ok(text);
    assert.equal(finishReason, 'stop');
    assert.deepEqual(warnings, []);
    assert.ok(usage.inputTokens && usage.outputTokens);
    assert.equal(usage.inputTokens + usage.outputTokens, usage.totalTokens);
  });

  test('a stream is the answer in pieces', async () => {
    const whole = await generateText({ model: google(model), prompt });
    const stream = streamText({ model: google(model), prompt });
    const pieces = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(''), whole.text);
    assert.equal(await stream.finishReason, 'stop');
    assert.equal((await stream.usage).totalTokens, whole.usage.totalTokens);
  });

  test('thoughts are apart from the text', async () => {
    const { reasoningText, text } = await generateText({
      model: google(model),
      prompt,
      providerOptions: { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
    });
    assert.ok(reasoningText && text);
  });

  test('tools are called over three steps, and signatures come back', async () => {
    const { steps, text } = await generateText({ model: google(model), prompt: 'How is the weather in Porto and in Lima?', ...threeSteps });
    assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length > 0), [true, true, false]);
    assert.ok(steps[0].toolCalls[0].providerMetadata?.google?.thoughtSignature);
    assert.ok(text);
  });

  test('tools are called over three streamed steps', async () => {
    const stream = streamText({ model: google(model), prompt: 'How is the weather in Porto and in Lima?', ...threeSteps });
    for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
    const steps = await stream.steps;
    assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length > 0), [true, true, false]);
    assert.ok(await stream.text);
  });

  test('a signature that was changed is refused, and one that was dropped is made up by the client', async () => {
    const first = await generateText({ model: google(model), prompt: 'How is the weather?', tools: { get_weather: weather }, toolChoice: 'required' });
    const signature = String(first.toolCalls[0].providerMetadata?.google?.thoughtSignature);
    /** @param {string | undefined} signature */
    const again = (signature) => {
      const messages = structuredClone(first.response.messages);
      for (const { role, content } of messages) {
        if (role !== 'assistant' || typeof content === 'string') continue;
        for (const part of content) {
          if (part.type === 'tool-call') part.providerOptions = signature ? { google: { thoughtSignature: signature } } : undefined;
        }
      }
      const question = { role: /** @type {const} */ ('user'), content: 'How is the weather?' };
      return generateText({ model: google(model), messages: [question, ...messages], tools: { get_weather: weather }, maxRetries: 0 });
    };
    assert.ok((await again(signature)).text);
    await refused(again(signature.replace(/.{8}$/, 'AAAAAAA=')), 400, /ignature/);
    // It sends skip_thought_signature_validator, which the real server takes too.
    const { warnings } = await again(undefined);
    assert.match(JSON.stringify(warnings), /skip_thought_signature_validator/);
  });

  test('an answer follows the schema', async () => {
    // The client leaves out what a schema says of sizes.
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int(), labels: z.array(z.string()) });
    const { output } = await generateText({ model: google(model), prompt: 'File a ticket.', output: Output.object({ schema }) });
    schema.parse(output);
  });

  test('an image and a file are taken', async () => {
    const { text } = await generateText({
      model: google(model),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?' },
            { type: 'image', image: new Uint8Array(1 << 20), mediaType: 'image/png' },
            { type: 'file', data: new Uint8Array(1 << 10), mediaType: 'application/pdf' },
          ],
        },
      ],
    });
    assert.ok(text);
  });

  test('cached content is used', async () => {
    const parts = [{ text: 'The sky is blue, the sea is deep. '.repeat(1000) }];
    const reply = await fetch(`${server.url}/v1beta/cachedContents`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'any', 'content-type': 'application/json' },
      body: JSON.stringify({ model: `models/${model}`, contents: [{ role: 'user', parts }] }),
    });
    const { name } = await reply.json();
    const { usage } = await generateText({ model: google(model), prompt: 'What is deep?', providerOptions: { google: { cachedContent: name } } });
    assert.ok(usage.inputTokenDetails.cacheReadTokens);
  });

  test('texts are embedded', async () => {
    const embedder = google.embedding('gemini-embedding-001');
    const one = await embed({ model: embedder, value: 'Tea', providerOptions: { google: { outputDimensionality: 256 } } });
    assert.equal(one.embedding.length, 256);
    const two = await embedMany({ model: embedder, values: ['Tea', 'Coffee'], providerOptions: { google: { outputDimensionality: 256 } } });
    assert.deepEqual(two.embeddings.map((values) => values.length), [256, 256]);
    assert.deepEqual(two.embeddings[0], one.embedding);
  });

  test('an unknown model is refused', () => refused(generateText({ model: google('gemmini-9'), prompt }), 404, /gemmini-9/));

  test('a wrong key is refused', async () => {
    const guarded = await emulate({ key: 'right' });
    try {
      const stranger = createGoogleGenerativeAI({ baseURL: `${guarded.url}/v1beta`, apiKey: 'wrong' });
      await refused(generateText({ model: stranger(model), prompt }), 400, /API key not valid/);
    } finally {
      await guarded.close();
    }
  });

  test('a quota by script is tried again', async () => {
    const scripted = await emulate({ script: 'fixtures:\n- times: 1\n  reply:\n  - fault: {kind: rateLimited, retryDelay: 1s}\n- reply: At last.\n' });
    try {
      const patient = createGoogleGenerativeAI({ baseURL: `${scripted.url}/v1beta`, apiKey: 'any' });
      await refused(generateText({ model: patient(model), prompt, maxRetries: 0 }), 429, /quota/);
      assert.equal((await generateText({ model: patient(model), prompt })).text, 'At last.');
    } finally {
      await scripted.close();
    }
  });
});
