// npm @google/genai, Google's own client, on a server of OpenAI's chat_completions.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@google/genai';
import { chat } from './chat.mjs';
import { checkAnswer, geminiAPI, prompt, refused } from './genai.mjs';

/** @typedef {import('@google/genai').Content} Content */

const model = 'gpt-chat';
const weather = {
  functionDeclarations: [
    {
      name: 'weather.now',
      description: 'Returns the weather of a city.',
      parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
    },
  ],
};

describe('@google/genai on chat_completions', () => {
  /** @type {Awaited<ReturnType<typeof chat>>} */
  let server;
  /** @type {import('@google/genai').GoogleGenAI} */
  let ai;
  before(async () => {
    server = await chat({ flags: ['--count-tokens', 'estimate'] });
    ai = geminiAPI(server.url);
  });
  after(() => server.close());

  test('an answer is whole, and a stream the answer in pieces', async () => {
    const whole = await ai.models.generateContent({ model, contents: prompt });
    checkAnswer(whole);
    const chunks = [];
    for await (const chunk of await ai.models.generateContentStream({ model, contents: prompt })) chunks.push(chunk);
    assert.ok(chunks.length > 2);
    assert.equal(chunks.map(({ text }) => text ?? '').join(''), whole.text);
    assert.equal(chunks.at(-1)?.candidates?.[0].finishReason, 'STOP');
    assert.equal(chunks.at(-1)?.usageMetadata?.totalTokenCount, whole.usageMetadata?.totalTokenCount);
  });

  for (const isStream of [false, true]) {
    test(`tools are called over three turns, ${isStream ? 'streamed' : 'whole'}`, async () => {
      /** @type {Content[]} */
      const contents = [{ role: 'user', parts: [{ text: 'How is the weather in Porto and in Lima?' }] }];
      for (let i = 0; i < 2; i++) {
        const turn = await turnOf(contents, isStream);
        const calls = (turn.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
        assert.deepEqual(calls.map(({ name, args }) => [name, args?.city]), [['weather.now', 'Porto'], ['weather.now', 'Lima']]);
        contents.push(turn, { role: 'user', parts: calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { degrees: 21 } } })) });
      }
      const last = await turnOf(contents, isStream);
      assert.equal((last.parts ?? []).map(({ text }) => text).join(''), 'There are 4 results.');
    });
  }

  /**
   * @param {Content[]} contents
   * @param {boolean} isStream
   * @returns {Promise<Content>}
   */
  async function turnOf(contents, isStream) {
    const request = { model, contents, config: { tools: [weather] } };
    if (!isStream) return (await ai.models.generateContent(request)).candidates?.[0].content ?? {};
    const parts = [];
    for await (const chunk of await ai.models.generateContentStream(request)) parts.push(...(chunk.candidates?.[0].content?.parts ?? []));
    return { role: 'model', parts };
  }

  test('a chat keeps its history', async () => {
    const chatting = ai.chats.create({ model });
    checkAnswer(await chatting.sendMessage({ message: prompt }));
    let text = '';
    for await (const chunk of await chatting.sendMessageStream({ message: 'And at night?' })) text += chunk.text ?? '';
    assert.ok(text);
    assert.ok(chatting.getHistory(true).length >= 4); // the chunks of a stream are contents of their own
    checkAnswer(await chatting.sendMessage({ message: 'Thanks.' }));
    assert.deepEqual(server.requests.at(-1)?.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant', 'user']);
  });

  test('an answer follows a schema, and images and documents are seen', async () => {
    const answer = await ai.models.generateContent({
      model,
      contents: [{ role: 'user', parts: [{ text: 'Where?' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }, { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } }] }],
      config: { responseMimeType: 'application/json', responseSchema: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } },
    });
    assert.deepEqual(JSON.parse(answer.text ?? ''), { city: 'Porto' });
    const sent = JSON.stringify(server.requests.at(-1)?.messages);
    assert.match(sent, /data:image\/png;base64,/);
    assert.match(sent, /data:application\/pdf;base64,/);
  });

  test('thoughts are apart from the text', async () => {
    const answer = await ai.models.generateContent({ model, contents: prompt, config: { thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 } } });
    assert.ok(answer.candidates?.[0].content?.parts?.[0].thought);
    assert.equal(server.requests.at(-1)?.reasoning_effort, 'medium');
    assert.equal(answer.usageMetadata?.thoughtsTokenCount, 5);
  });

  test('tokens are guessed', async () => {
    assert.ok(Number((await ai.models.countTokens({ model, contents: prompt })).totalTokens) > 2);
  });

  test('a client that leaves ends the request', async () => {
    const abort = new AbortController();
    await assert.rejects(async () => {
      for await (const chunk of await ai.models.generateContentStream({ model, contents: 'forever', config: { abortSignal: abort.signal } })) {
        assert.equal(chunk.text, 'Once');
        abort.abort();
      }
    });
    for (let i = 0; i < 100 && !server.left(); i++) await sleep(50);
    assert.ok(server.left(), 'the server goes on');
  });

  test('errors are Google\'s', async () => {
    await refused(ai.models.generateContent({ model, contents: [{ role: 'user', parts: [{ fileData: { fileUri: 'gs://b/o' } }] }] }), 400, /fileUri/);
    await refused(ai.models.generateContent({ model, contents: 'limit' }), 429, /Slow down/);
  });
});
