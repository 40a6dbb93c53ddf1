// npm @langchain/google and @langchain/google-genai: the chat models of LangChain. The former is the newer one, and the
// latter is built on Google's older library, @google/generative-ai.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatGoogle } from '@langchain/google';
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';
import { z } from 'zod';
import { emulate } from './emulator.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} Message */

const prompt = 'Why is the sky blue?';
const settings = { model: 'gemini-3.6-flash', apiKey: 'any', maxRetries: 0 };

/**
 * The chat models, by package, and what one of them says of a request that was refused.
 * @type {Record<string, (url: string, more?: object) => ChatGoogle | ChatGoogleGenerativeAI>}
 */
const packages = {
  '@langchain/google': (url, more) => new ChatGoogle({ ...settings, endpoint: url, ...more }),
  '@langchain/google-genai': (url, more) => new ChatGoogleGenerativeAI({ ...settings, baseUrl: url, ...more }),
};

const weather = tool(() => '', {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  schema: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
});

/** @type {Awaited<ReturnType<typeof emulate>>} */
let server;
before(async () => {
  server = await emulate();
});
after(() => server.close());

for (const [name, connect] of Object.entries(packages)) {
  describe(name, () => {
    test('an answer is whole', async () => {
      const { text, usage_metadata: usage } = await connect(server.url).invoke([new SystemMessage('Be brief.'), new HumanMessage(prompt)]);
      assert.ok(text);
      assert.ok(usage?.input_tokens && usage.output_tokens && usage.total_tokens);
    });

    test('a stream is the answer in pieces', async () => {
      const whole = await connect(server.url).invoke(prompt);
      const pieces = [];
      for await (const chunk of await connect(server.url).stream(prompt)) pieces.push(chunk.text);
      assert.ok(pieces.filter((piece) => piece !== '').length > 1);
      assert.equal(pieces.join(''), whole.text);
    });

    for (const streaming of [false, true]) {
      test(`tools are called over three turns${streaming ? ', streamed' : ''}, and signatures come back`, async () => {
        const chat = connect(server.url, { streaming });
        /** @type {Message[]} */
        const messages = [new HumanMessage('How is the weather in Porto and in Lima?')];
        for (let i = 0; i < 2; i++) {
          const answer = await chat.bindTools([weather], { tool_choice: 'any' }).invoke(messages);
          assert.ok(answer.tool_calls?.length);
          messages.push(answer);
          for (const { id = '', name, args } of answer.tool_calls) {
            assert.match(args.unit, /^(celsius|fahrenheit)$/);
            messages.push(new ToolMessage({ content: JSON.stringify({ ...args, degrees: 21 }), tool_call_id: id, name }));
          }
        }
        assert.ok((await chat.bindTools([weather]).invoke(messages)).text);
      });
    }

    test('an answer follows the schema', async () => {
      const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int().min(3).max(8) });
      for (const method of /** @type {const} */ (['jsonSchema', 'functionCalling'])) {
        const chat = connect(server.url);
        schema.parse(await chat.withStructuredOutput(schema, { method }).invoke('File a ticket.'));
      }
    });

    test('an image is taken', async () => {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.alloc(1 << 20).toString('base64')}` } };
      const { text } = await connect(server.url).invoke([new HumanMessage({ content: [{ type: 'text', text: 'What is in it?' }, image] })]);
      assert.ok(text);
    });

    test('an unknown model is refused', () => assert.rejects(connect(server.url, { model: 'gemmini-9' }).invoke(prompt), /gemmini-9/));

    test('a wrong key is refused', async () => {
      const guarded = await emulate({ key: 'right' });
      try {
        await assert.rejects(connect(guarded.url, { apiKey: 'wrong' }).invoke(prompt), /API key not valid/);
      } finally {
        await guarded.close();
      }
    });

    test('a quota by script is refused', async () => {
      const scripted = await emulate({ script: 'fixtures:\n- reply:\n  - fault: {kind: rateLimited, retryDelay: 23.5s}\n' });
      try {
        await assert.rejects(connect(scripted.url).invoke(prompt), /exceeded your current quota/);
      } finally {
        await scripted.close();
      }
    });
  });
}

test('@langchain/google: a turn without its signature is refused', async () => {
  const chat = packages['@langchain/google'](server.url);
  const question = new HumanMessage('How is the weather?');
  const answer = await chat.bindTools([weather], { tool_choice: 'any' }).invoke([question]);
  const call = answer.tool_calls?.[0];
  const stripped = JSON.parse(JSON.stringify(answer), (key, value) => (/signature/i.test(key) ? undefined : value)).kwargs;
  const messages = [question, new AIMessage(stripped), new ToolMessage({ content: '{}', tool_call_id: call?.id ?? '', name: 'get_weather' })];
  await assert.rejects(chat.bindTools([weather]).invoke(messages), /thought_signature/);
});

test('@langchain/google-genai: texts are embedded', async () => {
  const embeddings = new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-001', apiKey: 'any', baseUrl: server.url });
  const [tea, coffee] = await embeddings.embedDocuments(['Tea', 'Coffee']);
  assert.ok(tea.length > 0 && tea.length === coffee.length);
  assert.deepEqual(await embeddings.embedQuery('Tea'), tea);
});
