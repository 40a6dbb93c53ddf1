// npm @anthropic-ai/sdk: Anthropic's own client, of the version that speaks the API of 2026-10-21 and of the one before.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import Anthropic0 from 'anthropic-sdk-0';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, grounded, loop, slow, table, weather } from './conversation.mjs';

/** @typedef {import('@anthropic-ai/sdk/resources/messages').MessageParam} Input */
/** @typedef {import('@anthropic-ai/sdk/resources/messages').Message} Message */
/** @typedef {import('../gateway.mjs').Gateway} Gateway */

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';
const max_tokens = 4000;

/** @param {string} content */
const user = (content) => [{ role: /** @type {const} */ ('user'), content }];

/** @param {Message} message */
const textOf = (message) => message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');

/** @param {Message} message */
const callsOf = (message) => message.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));

for (const [version, Client] of Object.entries({ '1.12': Anthropic, '0.120': /** @type {typeof Anthropic} */ (/** @type {any} */ (Anthropic0)) })) {
  describe(`@anthropic-ai/sdk ${version}`, () => {
    /** @param {Gateway} gateway */
    const connect = (gateway, options = {}) => new Client({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0, ...options });

    /** @type {Gateway} */
    let gateway;
    /** @type {Anthropic} */
    let client;
    before(async () => {
      gateway = await serve();
      client = connect(gateway);
    });
    after(() => gateway.close());

    /**
     * Runs a test against a gateway of its own.
     * @param {Parameters<typeof serve>[0]} options
     * @param {(client: Anthropic, gateway: Gateway) => Promise<void>} run
     */
    async function through(options, run) {
      const own = await serve(options);
      try {
        await run(connect(own), own);
      } finally {
        await own.close();
      }
    }

    test('an answer is whole', async () => {
      const message = await client.messages.create({ model, max_tokens, system: 'Be brief.', messages: user(prompt) });
      assert.match(textOf(message), /Why is the sky blue\?/);
      assert.equal(message.stop_reason, 'end_turn');
      assert.equal(message.model, model);
      assert.match(message.id, /^msg_/);
      assert.match(message._request_id ?? '', /^req_/);
      assert.ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0);
    });

    test('a stream is the answer in pieces', async () => {
      const request = { model, max_tokens, messages: user('Tell me more [words 60]') };
      const whole = await client.messages.create(request);
      const pieces = /** @type {string[]} */ ([]);
      const stream = client.messages.stream(request).on('text', (piece) => pieces.push(piece));
      const streamed = await stream.finalMessage();
      assert.ok(pieces.length > 1);
      assert.equal(pieces.join(''), textOf(whole));
      assert.equal(textOf(streamed), textOf(whole)); // thinking that only seals the text comes too late in a stream
      assert.equal(streamed.stop_reason, 'end_turn');
      assert.equal(streamed.usage.output_tokens, whole.usage.output_tokens);
      assert.ok(streamed.usage.input_tokens > 0);
    });

    for (const thinking of /** @type {const} */ ([{ type: 'enabled', budget_tokens: 2000 }, { type: 'disabled' }])) {
      for (const streams of [false, true]) {
        test(`a loop of three turns, thinking ${thinking.type}${streams ? ', streamed' : ''}`, () =>
          through({ script: loop() }, async (own) => {
            /** @type {Input[]} */
            const messages = user('Book a table where it is warm.');
            const calls = [];
            for (let turn = 0; turn < 4; turn++) {
              const request = { model, max_tokens, messages, tools: [weather, table], thinking };
              const answer = streams ? await own.messages.stream(request).finalMessage() : await own.messages.create(request);
              messages.push({ role: 'assistant', content: answer.content });
              const asked = callsOf(answer);
              for (const { name, input } of asked) calls.push(`${name} ${JSON.stringify(input)}`);
              if (asked.length > 0) {
                messages.push({ role: 'user', content: asked.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '{"degrees":21}' })) });
              } else assert.equal(textOf(answer), booked);
              assert.equal(answer.stop_reason, turn < 3 ? 'tool_use' : 'end_turn');
            }
            assert.deepEqual(calls, [
              'get_weather {"city":"Porto"}',
              'get_weather {"city":"Lima"}',
              'book_table {"city":"Porto","people":2}',
              'get_weather {"city":"Porto"}',
            ]);
          }));
      }
    }

    test('the loop of the client runs the tools', () =>
      through({ script: loop() }, async (own) => {
        const ran = /** @type {string[]} */ ([]);
        const tools = [weather, table].map((tool) => ({
          ...tool,
          type: /** @type {const} */ ('custom'),
          parse: (/** @type {unknown} */ input) => /** @type {object} */ (input),
          run: (/** @type {object} */ input) => {
            ran.push(`${tool.name} ${Object.values(input).join(' ')}`);
            return '{"degrees":21}';
          },
        }));
        const answer = await own.beta.messages.toolRunner({ model, max_tokens, messages: user('Book a table where it is warm.'), tools });
        assert.equal(textOf(/** @type {any} */ (answer)), booked);
        assert.deepEqual(ran, ['get_weather Porto', 'get_weather Lima', 'book_table Porto 2', 'get_weather Porto']);
      }));

    test('thoughts are shown', () =>
      through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (own) => {
        const request = { model, max_tokens, messages: user(prompt), thinking: /** @type {const} */ ({ type: 'enabled', budget_tokens: 2000 }) };
        for (const message of [await own.messages.create(request), await own.messages.stream(request).finalMessage()]) {
          const [thought, text] = message.content;
          assert.ok(thought.type === 'thinking' && thought.thinking === 'The light scatters.' && thought.signature !== '');
          assert.ok(text.type === 'text' && text.text === 'It scatters.');
        }
      }));

    test('an answer follows the schema', async () => {
      const schema = { type: 'object', properties: { title: { type: 'string' }, points: { type: 'integer' } }, required: ['title', 'points'] };
      const message = await client.messages.create({
        model,
        max_tokens,
        messages: user('File a ticket.'),
        output_config: { format: { type: 'json_schema', schema } },
      });
      const ticket = JSON.parse(textOf(message));
      assert.equal(typeof ticket.title, 'string');
      assert.ok(Number.isInteger(ticket.points));
    });

    test('an image and a PDF are taken', async () => {
      const message = await client.messages.create({
        model,
        max_tokens,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is in these?' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: emptyPNG } },
              { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: emptyPDF } },
            ],
          },
        ],
      });
      for (const media of ['image/png', 'application/pdf']) assert.match(textOf(message), new RegExp(media));
    });

    test('a search of the web is told with its sources', async () => {
      const request = { model, max_tokens, messages: user('What is new?'), tools: [{ type: /** @type {const} */ ('web_search_20250305'), name: /** @type {const} */ ('web_search') }] };
      await through({ script: grounded() }, async (own) => {
        for (const message of [await own.messages.create(request), await own.messages.stream(request).finalMessage()]) {
          assert.equal(textOf(message), 'The tower is closed.');
          assert.equal(message.usage.server_tool_use?.web_search_requests, 1);
          const result = message.content.find((block) => block.type === 'web_search_tool_result');
          assert.ok(result?.type === 'web_search_tool_result' && Array.isArray(result.content));
          assert.equal(result.content[0].url, 'https://news.example/tower');
          const [citation] = message.content.flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : []));
          assert.ok(citation.type === 'web_search_result_location' && citation.url === 'https://news.example/tower');
          assert.equal(citation.cited_text, 'The tower is closed.');
        }
      });
    });

    test('tokens are counted', async () => {
      const { input_tokens } = await client.messages.countTokens({ model, messages: user(prompt), tools: [weather] });
      assert.ok(input_tokens > 0);
    });

    test('an answer that is cut off, and one that is refused', async () => {
      const cut = await client.messages.create({ model, max_tokens: 5, messages: user('Tell me more [words 60]') });
      assert.equal(cut.stop_reason, 'max_tokens');
      const refused = await client.messages.create({ model, max_tokens, messages: user('[block answer]') });
      assert.equal(refused.stop_reason, 'refusal');
    });

    test('the least answer is one', async () => {
      const probe = await client.messages.create({ model, max_tokens: 1, messages: user('quota') });
      assert.equal(probe.stop_reason, 'max_tokens');
    });

    test('a client that leaves ends the call of Gemini', () =>
      through({ script: slow() }, async (own, { asked }) => {
        const stream = own.messages.stream({ model, max_tokens, messages: user('slowly') });
        await assert.rejects(async () => {
          for await (const event of stream) if (event.type === 'content_block_delta') stream.abort();
          await stream.done();
        }, Client.APIUserAbortError);
        assert.equal((await asked(1)).length, 1);
      }));

    test('an unknown model is not found', () =>
      assert.rejects(client.messages.create({ model: 'gemmini-9', max_tokens, messages: user(prompt) }), (error) => {
        assert.ok(error instanceof Client.NotFoundError);
        assert.match(error.message, /gemmini-9/);
        assert.match(error.requestID ?? '', /^req_/);
        return true;
      }));

    test('a wrong request is refused with its place', () =>
      assert.rejects(client.messages.create({ model, max_tokens, messages: [{ role: /** @type {any} */ ('wizard'), content: 'Hi.' }] }), (error) => {
        assert.ok(error instanceof Client.BadRequestError);
        assert.match(error.message, /messages\/0\/role/);
        return true;
      }));

    test('a wrong key is refused', () =>
      through({ key: 'right', flags: ['--callers-key'] }, async (own) => {
        await assert.rejects(own.messages.create({ model, max_tokens, messages: user(prompt) }), Client.AuthenticationError);
      }));

    test('a quota is tried again when its time has come', () => {
      const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
      return through({ script }, async (_, own) => {
        const message = await connect(own, { maxRetries: 2 }).messages.create({ model, max_tokens, messages: user(prompt) });
        assert.equal(textOf(message), 'At last.');
        assert.deepEqual(await own.answered(2), ['POST /v1/messages 429', 'POST /v1/messages 200']);
      });
    });

    test('a stream that fails in the middle', () => {
      const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
      return through({ script }, async (own) => {
        let text = '';
        const stream = own.messages.stream({ model, max_tokens, messages: user(prompt) }).on('text', (piece) => (text += piece));
        await assert.rejects(stream.finalMessage(), Client.APIError);
        assert.equal(text, 'The beginning');
      });
    });

    test('models are listed and read', async () => {
      const ids = [];
      for await (const { id } of client.models.list()) ids.push(id);
      assert.ok(ids.includes(model));
      assert.equal((await client.models.retrieve(model)).id, model);
    });
  });
}
