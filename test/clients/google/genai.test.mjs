// npm @google/genai, Google's own client: what generates and counts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FunctionCallingConfigMode } from '@google/genai';
import { emulate } from './emulator.mjs';
import { checkAnswer, geminiAPI, model, prompt, refused, services } from './genai.mjs';

/** @typedef {import('@google/genai').Content} Content */

const weather = {
  functionDeclarations: [
    {
      name: 'get_weather',
      description: 'Returns the weather of a city.',
      parametersJsonSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'], type: 'string' } },
        required: ['city', 'unit'],
      },
    },
  ],
};

/**
 * The configuration that has the model call, or that keeps it from calling.
 * @param {FunctionCallingConfigMode} mode
 */
const withTools = (mode) => ({ tools: [weather], toolConfig: { functionCallingConfig: { mode } } });

/**
 * Answers the calls of a turn, the first of which must be signed.
 * @param {Content} turn
 * @returns {Content}
 */
function results({ parts = [] }) {
  const calls = parts.filter((part) => part.functionCall);
  assert.ok(calls[0]?.thoughtSignature, 'the first call has no signature');
  for (const { functionCall } of calls) {
    assert.equal(functionCall?.name, 'get_weather');
    assert.equal(typeof functionCall?.args?.city, 'string');
    assert.match(String(functionCall?.args?.unit), /^(celsius|fahrenheit)$/);
  }
  return {
    role: 'user',
    parts: calls.map(({ functionCall }) => ({ functionResponse: { id: functionCall?.id, name: functionCall?.name, response: { degrees: 21 } } })),
  };
}

/** @type {Awaited<ReturnType<typeof emulate>>} */
let server;
before(async () => {
  server = await emulate();
});
after(() => server.close());

for (const [service, connect] of Object.entries(services)) {
  describe(`@google/genai over ${service}`, () => {
    /** @type {import('@google/genai').GoogleGenAI} */
    let ai;
    before(() => {
      ai = connect(server.url);
    });

    test('an answer is whole', async () => {
      checkAnswer(await ai.models.generateContent({ model, contents: prompt }));
    });

    test('a stream is the answer in pieces', async () => {
      const whole = await ai.models.generateContent({ model, contents: prompt });
      const chunks = [];
      for await (const chunk of await ai.models.generateContentStream({ model, contents: prompt })) chunks.push(chunk);
      assert.ok(chunks.length > 1);
      assert.equal(chunks.map(({ text }) => text ?? '').join(''), whole.text);
      const last = chunks.at(-1);
      assert.equal(last?.candidates?.[0].finishReason, 'STOP');
      assert.equal(last?.usageMetadata?.totalTokenCount, whole.usageMetadata?.totalTokenCount);
    });

    test('thoughts are apart from the text', async () => {
      const answer = await ai.models.generateContent({ model, contents: prompt, config: { thinkingConfig: { includeThoughts: true } } });
      checkAnswer(answer);
      assert.ok(answer.candidates?.[0].content?.parts?.some((part) => part.thought && part.text));
      assert.ok(answer.usageMetadata?.thoughtsTokenCount);
    });

    test('tools are called over three turns, and signatures come back', async () => {
      /** @type {Content[]} */
      const contents = [{ role: 'user', parts: [{ text: 'How is the weather in Porto and in Lima?' }] }];
      for (let i = 0; i < 2; i++) {
        const answer = await ai.models.generateContent({ model, contents, config: withTools(FunctionCallingConfigMode.ANY) });
        const turn = answer.candidates?.[0].content ?? {};
        contents.push(turn, results(turn));
      }
      const auto = withTools(FunctionCallingConfigMode.AUTO);
      checkAnswer(await ai.models.generateContent({ model, contents, config: auto }));

      const without = structuredClone(contents);
      for (const part of without[3].parts ?? []) delete part.thoughtSignature;
      await refused(ai.models.generateContent({ model, contents: without, config: auto }), 400, /thought_signature/);
    });

    test('a streamed call can be answered', async () => {
      /** @type {Content[]} */
      const contents = [{ role: 'user', parts: [{ text: 'How is the weather?' }] }];
      const parts = [];
      for await (const chunk of await ai.models.generateContentStream({ model, contents, config: withTools(FunctionCallingConfigMode.ANY) })) {
        parts.push(...(chunk.candidates?.[0].content?.parts ?? []));
      }
      const turn = { role: 'model', parts };
      contents.push(turn, results(turn));
      checkAnswer(await ai.models.generateContent({ model, contents, config: withTools(FunctionCallingConfigMode.AUTO) }));
    });

    test('a chat calls its own tool until it is done', async () => {
      let called = 0;
      const tool = {
        tool: async () => ({ functionDeclarations: weather.functionDeclarations }),
        /** @param {import('@google/genai').FunctionCall[]} calls */
        async callTool(calls) {
          called++;
          return calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { degrees: 21 } } }));
        },
      };
      const config = { tools: [tool], toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } }, automaticFunctionCalling: { maximumRemoteCalls: 3 } };
      await ai.models.generateContent({ model, contents: 'How is the weather?', config });
      assert.equal(called, 3);
    });

    for (const [name, schema] of Object.entries({
      responseSchema: { type: 'OBJECT', properties: { title: { type: 'STRING' }, points: { type: 'INTEGER', minimum: 3, maximum: 8 } }, required: ['title', 'points'] },
      responseJsonSchema: { type: 'object', properties: { title: { type: 'string' }, points: { type: 'integer', minimum: 3, maximum: 8 } }, required: ['title', 'points'] },
    })) {
      test(`an answer follows the ${name}`, async () => {
        const config = { responseMimeType: 'application/json', [name]: schema };
        const { text } = await ai.models.generateContent({ model, contents: 'File a ticket.', config });
        const { title, points } = JSON.parse(text ?? '');
        assert.equal(typeof title, 'string');
        assert.ok(Number.isInteger(points) && points >= 3 && points <= 8, text);
      });
    }

    test('tokens are counted as they are used', async () => {
      const { totalTokens } = await ai.models.countTokens({ model, contents: prompt });
      const { usageMetadata } = await ai.models.generateContent({ model, contents: prompt });
      assert.equal(totalTokens, usageMetadata?.promptTokenCount);
    });

    test('an unknown model is refused', async () => {
      await refused(ai.models.generateContent({ model: 'gemmini-9', contents: prompt }), 404, /gemmini-9/);
      await refused(ai.models.generateContentStream({ model: 'gemmini-9', contents: prompt }), 404, /gemmini-9/);
    });
  });
}

describe('@google/genai, refused', () => {
  test('a wrong key is refused', async () => {
    const guarded = await emulate({ key: 'right' });
    try {
      const ai = geminiAPI(guarded.url, 'wrong');
      await refused(ai.models.generateContent({ model, contents: prompt }), 400, /API_KEY_INVALID[^]*API key not valid/);
    } finally {
      await guarded.close();
    }
  });

  test('a quota by script is refused', async () => {
    const scripted = await emulate({ script: 'fixtures:\n- reply:\n  - fault: {kind: rateLimited, retryDelay: 23.5s}\n' });
    try {
      const ai = geminiAPI(scripted.url);
      await refused(ai.models.generateContent({ model, contents: prompt }), 429, /RESOURCE_EXHAUSTED/);
    } finally {
      await scripted.close();
    }
  });
});
