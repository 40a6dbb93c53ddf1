// npm openai: OpenAI's own client of the Responses API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import OpenAI, { APIError, APIUserAbortError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, grounded, loop, slow, table, weather } from './conversation.mjs';

/** @typedef {import('openai/resources/responses/responses').ResponseInputItem} Input */
/** @typedef {import('openai/resources/responses/responses').Response} Response */
/** @typedef {import('../gateway.mjs').Gateway} Gateway */

const model = 'gemini-3.6-flash';
const prompt = 'Why is the sky blue?';

/** @param {Gateway} gateway */
const connect = (gateway, options = {}) => new OpenAI({ baseURL: gateway.openai, apiKey: 'any', maxRetries: 0, ...options });

/** @type {Gateway} */
let gateway;
/** @type {OpenAI} */
let openai;
before(async () => {
  gateway = await serve();
  openai = connect(gateway);
});
after(() => gateway.close());

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(client: OpenAI, gateway: Gateway) => Promise<void>} run
 */
async function through(options, run) {
  const own = await serve(options);
  try {
    await run(connect(own), own);
  } finally {
    await own.close();
  }
}

const tools = [weather, table].map(({ function: f }) => ({ type: /** @type {const} */ ('function'), strict: false, ...f }));

/** @param {Response} response */
const callsOf = (response) => response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));

/**
 * How a client keeps the items that it sends back.
 * @type {Record<string, (item: Response['output'][number]) => Input[]>}
 */
const memories = {
  'as they came': (item) => [/** @type {Input} */ (item)],
  'as codex does, without ids': (item) => {
    const { id: _, status: __, ...rest } = /** @type {any} */ (item);
    return [rest];
  },
};

describe('openai: responses', () => {
  test('a response is whole', async () => {
    const response = await openai.responses.create({ model, input: prompt, instructions: 'Be brief.' });
    assert.match(response.output_text, /Why is the sky blue\?/);
    assert.equal(response.status, 'completed');
    assert.equal(response.model, model);
    assert.match(response.id, /^resp_/);
    assert.ok(response.usage && response.usage.input_tokens > 0);
    assert.equal(response.usage.input_tokens + response.usage.output_tokens, response.usage.total_tokens);
  });

  test('a stream is the response in pieces', async () => {
    const request = { model, input: 'Tell me more [words 60]' };
    const whole = await openai.responses.create(request);
    let text = '';
    let pieces = 0;
    const stream = openai.responses.stream(request).on('response.output_text.delta', ({ delta }) => {
      text += delta;
      pieces++;
    });
    const streamed = await stream.finalResponse();
    assert.ok(pieces > 1);
    assert.equal(text, whole.output_text);
    assert.equal(streamed.output_text, text);
    assert.deepEqual(streamed.usage, whole.usage);
    assert.equal(streamed.status, 'completed');
  });

  for (const [name, remember] of Object.entries(memories)) {
    for (const streams of [false, true]) {
      test(`a loop of three turns, ${streams ? 'streamed' : 'whole'}, keeping items ${name}`, () =>
        through({ script: loop() }, async (client) => {
          /** @type {Input[]} */
          const input = [{ role: 'user', content: 'Book a table where it is warm.' }];
          const calls = [];
          let last = '';
          for (let turn = 0; turn < 4; turn++) {
            const request = { model, input, tools, store: false, include: /** @type {['reasoning.encrypted_content']} */ (['reasoning.encrypted_content']) };
            const response = streams ? await client.responses.stream(request).finalResponse() : await client.responses.create(request);
            input.push(...response.output.flatMap((item) => remember(/** @type {any} */ (item))));
            for (const call of callsOf(/** @type {any} */ (response))) {
              calls.push(`${call.name} ${call.arguments}`);
              input.push({ type: 'function_call_output', call_id: call.call_id, output: '{"degrees":21}' });
            }
            last = response.output_text;
          }
          assert.deepEqual(calls.map((call) => call.replaceAll(' ', '')), [
            'get_weather{"city":"Porto"}',
            'get_weather{"city":"Lima"}',
            'book_table{"city":"Porto","people":2}',
            'get_weather{"city":"Porto"}',
          ]);
          assert.equal(last, booked);
        }));
    }
  }

  test('a loop of three turns that the gateway keeps', () =>
    through({ script: loop(), flags: ['--store', 'memory'] }, async (client) => {
      let response = await client.responses.create({ model, input: 'Book a table where it is warm.', tools });
      for (let turn = 1; turn < 4; turn++) {
        const input = callsOf(response).map(({ call_id }) => ({ type: /** @type {const} */ ('function_call_output'), call_id, output: '{"degrees":21}' }));
        response = await client.responses.create({ model, input, tools, previous_response_id: response.id });
      }
      assert.equal(response.output_text, booked);
      assert.equal((await client.responses.retrieve(response.id)).output_text, booked);
      const { data } = await client.responses.inputItems.list(response.id);
      assert.ok(data.length > 0);
      await client.responses.delete(response.id);
      await assert.rejects(client.responses.retrieve(response.id), NotFoundError);
    }));

  test('without a store a response cannot be gone on with', () =>
    assert.rejects(openai.responses.create({ model, input: prompt, previous_response_id: 'resp_before' }), (error) => {
      assert.ok(error instanceof BadRequestError);
      assert.equal(error.code, 'previous_response_not_found');
      assert.equal(error.param, 'previous_response_id');
      return true;
    }));

  test('thoughts are summaries', () =>
    through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (client) => {
      const request = { model, input: prompt, reasoning: { summary: /** @type {const} */ ('auto') } };
      for (const response of [await client.responses.create(request), await client.responses.stream(request).finalResponse()]) {
        const reasoning = response.output.find((item) => item.type === 'reasoning');
        assert.ok(reasoning?.type === 'reasoning');
        assert.equal(reasoning.summary[0].text, 'The light scatters.');
        assert.equal(response.output_text, 'It scatters.');
      }
    }));

  test('a response follows the schema', async () => {
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int() });
    const request = { model, input: 'File a ticket.', text: { format: zodTextFormat(schema, 'ticket') } };
    const whole = await openai.responses.parse(request);
    schema.parse(whole.output_parsed);
    const streamed = await openai.responses.stream(request).finalResponse();
    assert.deepEqual(streamed.output_parsed, whole.output_parsed);
  });

  test('an image and a PDF are taken', async () => {
    const { output_text } = await openai.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is in these?' },
            { type: 'input_image', image_url: `data:image/png;base64,${emptyPNG}`, detail: 'auto' },
            { type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${emptyPDF}` },
          ],
        },
      ],
    });
    for (const media of ['image/png', 'application/pdf']) assert.match(output_text, new RegExp(media));
  });

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (client) => {
      const request = { model, input: 'What is new?', tools: [{ type: /** @type {const} */ ('web_search') }] };
      for (const response of [await client.responses.create(request), await client.responses.stream(request).finalResponse()]) {
        assert.equal(response.output_text, 'The tower is closed.');
        assert.ok(response.output.some((item) => item.type === 'web_search_call'));
        const [source] = response.output.flatMap((item) => (item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? part.annotations : [])) : []));
        assert.ok(source.type === 'url_citation');
        assert.equal(source.url, 'https://news.example/tower');
      }
    }));

  test('input tokens are counted', async () => {
    const { input_tokens } = await openai.responses.inputTokens.count({ model, input: prompt });
    assert.ok(input_tokens > 0);
  });

  test('a response that is cut off is incomplete', async () => {
    const cut = await openai.responses.create({ model, input: 'Tell me more [words 60]', max_output_tokens: 5 });
    assert.equal(cut.status, 'incomplete');
    assert.equal(cut.incomplete_details?.reason, 'max_output_tokens');
  });

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (client, { asked }) => {
      const stream = client.responses.stream({ model, input: 'slowly' });
      await assert.rejects(async () => {
        for await (const event of stream) if (event.type === 'response.output_text.delta') stream.abort();
        await stream.done();
      }, APIUserAbortError);
      assert.equal((await asked(1)).length, 1);
    }));

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (client) => {
      let text = '';
      await assert.rejects(async () => {
        for await (const event of await client.responses.create({ model, input: prompt, stream: true })) if (event.type === 'response.output_text.delta') text += event.delta;
      }, APIError);
      assert.equal(text, 'The beginning');
    });
  });

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (_, own) => {
      assert.equal((await connect(own, { maxRetries: 2 }).responses.create({ model, input: prompt })).output_text, 'At last.');
      assert.deepEqual(await own.answered(2), ['POST /v1/responses 429', 'POST /v1/responses 200']);
    });
  });

  test('a conversation is shortened, and goes on with what is left of it', async () => {
    /** @type {Input[]} */
    const input = [
      { role: 'user', content: prompt },
      { role: 'assistant', content: 'The light scatters.' },
      { role: 'user', content: 'And the sea?' },
      { role: 'assistant', content: 'It reflects the sky.' },
    ];
    const { object, output, usage } = await openai.responses.compact({ model, input });
    assert.equal(object, 'response.compaction');
    assert.deepEqual(output.map(({ type }) => type), ['compaction']);
    assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0);
    const left = /** @type {any[]} */ (output);
    const further = await openai.responses.create({ model, input: [...left, { role: 'user', content: 'And at night?' }] });
    assert.match(further.output_text, /Summary of the conversation so far/); // what the fake server was sent
    const changed = left.map((item) => ({ ...item, encrypted_content: item.encrypted_content.replace(/.$/, '!') }));
    await assert.rejects(openai.responses.create({ model, input: changed }), (error) => error instanceof BadRequestError && error.code === 'invalid_compaction');
  });

  test('an unknown model is not found, and a wrong key refused', async () => {
    await assert.rejects(openai.responses.create({ model: 'gemmini-9', input: prompt }), (error) => error instanceof NotFoundError && /gemmini-9/.test(error.message));
    await through({ key: 'right', flags: ['--callers-key'] }, (client) => assert.rejects(client.responses.create({ model, input: prompt }), AuthenticationError));
  });

  test('a wrong request is refused with its place', () =>
    assert.rejects(openai.responses.create({ model, input: [{ role: /** @type {any} */ ('wizard'), content: 'Hi.' }] }), (error) => error instanceof BadRequestError && /\/input\/0\/role/.test(error.message)));
});
