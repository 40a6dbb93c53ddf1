// npm openai: OpenAI's own client.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { write } from '../command.mjs';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, emptyWAV, loop, weather, table, slow } from './conversation.mjs';

/** @typedef {import('openai/resources/chat/completions').ChatCompletionMessageParam} Message */
/** @typedef {import('openai/resources/chat/completions').ChatCompletionMessage} Answer */

const model = 'gemini-3.6-flash';
const several = 'gemini-4-argon'; // the models of 3.x refuse several candidates
const prompt = 'Why is the sky blue?';

/** @param {string} baseURL */
const connect = (baseURL, options = {}) => new OpenAI({ baseURL, apiKey: 'any', maxRetries: 0, ...options });

/** @param {string} content */
const user = (content) => [{ role: /** @type {const} */ ('user'), content }];

/** @type {import('../gateway.mjs').Gateway} */
let gateway;
/** @type {OpenAI} */
let openai;
before(async () => {
  gateway = await serve();
  openai = connect(gateway.openai);
});
after(() => gateway.close());

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(client: OpenAI, gateway: import('../gateway.mjs').Gateway) => Promise<void>} run
 */
async function through(options, run) {
  const own = await serve(options);
  try {
    await run(connect(own.openai), own);
  } finally {
    await own.close();
  }
}

describe('openai: answers', () => {
  test('an answer is whole', async () => {
    const { choices, usage, model: named, id, _request_id } = await openai.chat.completions.create({ model, messages: user(prompt) });
    assert.match(choices[0].message.content ?? '', /Why is the sky blue\?/);
    assert.equal(choices[0].finish_reason, 'stop');
    assert.equal(named, model);
    assert.ok(id);
    assert.match(_request_id ?? '', /^req_/);
    assert.ok(usage && usage.prompt_tokens > 0 && usage.completion_tokens > 0);
    assert.equal(usage.prompt_tokens + usage.completion_tokens, usage.total_tokens);
  });

  test('a stream is the answer in pieces, with usage to who asks for it', async () => {
    const whole = await openai.chat.completions.create({ model, messages: user('Tell me more [words 60]') });
    for (const include_usage of [false, true]) {
      const stream = await openai.chat.completions.create({ model, messages: user('Tell me more [words 60]'), stream: true, stream_options: { include_usage } });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter((piece) => piece !== '');
      assert.ok(pieces.length > 1);
      assert.equal(pieces.join(''), whole.choices[0].message.content);
      assert.deepEqual(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? []), ['stop']);
      const told = chunks.filter(({ usage }) => usage);
      assert.equal(told.length, include_usage ? 1 : 0);
      if (!include_usage) continue;
      assert.deepEqual(chunks.at(-1)?.choices, []);
      assert.deepEqual(chunks.at(-1)?.usage, whole.usage);
    }
  });

  test('the helper for streams ends with the whole answer', async () => {
    const request = { model, messages: user('Tell me more [words 60]') };
    const whole = await openai.chat.completions.create(request);
    const runner = openai.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    let text = '';
    runner.on('content', (piece) => (text += piece));
    const { choices, usage } = await runner.finalChatCompletion();
    assert.equal(text, whole.choices[0].message.content);
    assert.equal(choices[0].message.content, text);
    assert.deepEqual(usage, whole.usage);
  });

  test('there are as many answers as are asked for', async () => {
    const whole = await openai.chat.completions.create({ model: several, messages: user(prompt), n: 3 });
    assert.deepEqual(whole.choices.map(({ index }) => index), [0, 1, 2]);
    const runner = openai.chat.completions.stream({ model: several, messages: user(prompt), n: 3 });
    const streamed = await runner.finalChatCompletion();
    const texts = (/** @type {OpenAI.ChatCompletion} */ { choices }) => choices.map(({ message }) => message.content);
    assert.deepEqual(texts(streamed), texts(whole));
  });

  test('log probabilities are told', async () => {
    const request = { model: 'gemini-4-argon', messages: user(prompt), logprobs: true, top_logprobs: 2 };
    const { choices } = await openai.chat.completions.create(request);
    const tokens = choices[0].logprobs?.content ?? [];
    assert.equal(tokens.map(({ token }) => token).join(''), choices[0].message.content);
    assert.ok(tokens.every(({ logprob, top_logprobs }) => logprob <= 0 && top_logprobs.length === 2));
    const streamed = await openai.chat.completions.stream(request).finalChatCompletion();
    assert.deepEqual(streamed.choices[0].logprobs?.content, tokens);
  });

  test('an answer follows the schema', async () => {
    const schema = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int(), labels: z.array(z.string()), note: z.string().nullable() });
    const request = { model, messages: user('File a ticket.'), response_format: zodResponseFormat(schema, 'ticket') };
    const whole = await openai.chat.completions.parse(request);
    schema.parse(whole.choices[0].message.parsed);
    const streamed = await openai.chat.completions.stream(request).finalChatCompletion();
    assert.deepEqual(streamed.choices[0].message.parsed, whole.choices[0].message.parsed);
  });

  test('an answer is JSON', async () => {
    const { choices } = await openai.chat.completions.create({ model, messages: user('File a ticket.'), response_format: { type: 'json_object' } });
    JSON.parse(choices[0].message.content ?? '');
  });

  test('an image, a file and sound are taken', async () => {
    const { choices } = await openai.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${emptyPNG}` } },
            { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${emptyPDF}` } },
            { type: 'input_audio', input_audio: { data: emptyWAV, format: 'wav' } },
          ],
        },
      ],
    });
    for (const media of ['image/png', 'application/pdf', 'audio/wav']) assert.match(choices[0].message.content ?? '', new RegExp(media));
  });

  test('sound is answered', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'gemini-2.5-flash-preview-tts',
      messages: user('Say hello.'),
      modalities: ['audio'],
      audio: { voice: 'Kore', format: 'pcm16' },
    });
    assert.ok(Buffer.from(choices[0].message.audio?.data ?? '', 'base64').length > 100);
  });

  test('refusals by the filters are told', async () => {
    const blocked = await openai.chat.completions.create({ model, messages: user('[block answer]') });
    assert.equal(blocked.choices[0].finish_reason, 'content_filter');
    const cut = await openai.chat.completions.create({ model, messages: user('Tell me more [words 60]'), max_completion_tokens: 5 });
    assert.equal(cut.choices[0].finish_reason, 'length');
  });
});

/**
 * How a client keeps the answers that it sends back.
 * @type {Record<string, (answer: Answer) => Message>}
 */
const memories = {
  'as they came': (answer) => answer,
  'by what OpenAI has of them': ({ role, content, tool_calls }) => ({
    role,
    content,
    tool_calls: tool_calls?.flatMap((call) => (call.type === 'function' ? { id: call.id, type: call.type, function: call.function } : [])),
  }),
};

describe('openai: tools', () => {
  for (const [name, remember] of Object.entries(memories)) {
    for (const streams of [false, true]) {
      test(`a loop of three turns, ${streams ? 'streamed' : 'whole'}, keeping answers ${name}`, () =>
        through({ script: loop() }, async (client) => {
          /** @type {Message[]} */
          const messages = user('Book a table where it is warm.');
          const calls = [];
          for (let turn = 0; turn < 4; turn++) {
            const request = { model, messages, tools: [weather, table], parallel_tool_calls: true };
            const { choices } = streams
              ? await client.chat.completions.stream(request).finalChatCompletion()
              : await client.chat.completions.create(request);
            const answer = /** @type {Answer} */ (choices[0].message);
            messages.push(remember(answer));
            for (const call of answer.tool_calls ?? []) {
              assert.ok(call.type === 'function');
              calls.push(`${call.function.name} ${call.function.arguments}`);
              messages.push({ role: 'tool', tool_call_id: call.id, content: '{"degrees":21}' });
            }
            assert.equal(choices[0].finish_reason, turn < 3 ? 'tool_calls' : 'stop');
          }
          assert.deepEqual(calls.map((call) => call.replaceAll(' ', '')), [
            'get_weather{"city":"Porto"}',
            'get_weather{"city":"Lima"}',
            'book_table{"city":"Porto","people":2}',
            'get_weather{"city":"Porto"}',
          ]);
          assert.equal(messages.at(-1)?.content, booked);
        }));
    }
  }

  test('a signature that is too long for an id is kept', () => {
    const long = Buffer.alloc(20_000, 'long').toString('base64');
    return through({ script: loop({ first: long }) }, async (client) => {
      /** @type {Message[]} */
      const messages = user('Book a table where it is warm.');
      for (let turn = 0; turn < 4; turn++) {
        const { choices } = await client.chat.completions.create({ model, messages, tools: [weather, table] });
        messages.push(memories['by what OpenAI has of them'](choices[0].message));
        for (const { id } of choices[0].message.tool_calls ?? []) {
          assert.ok(id.length < 5000);
          messages.push({ role: 'tool', tool_call_id: id, content: '{"degrees":21}' });
        }
      }
      assert.equal(messages.at(-1)?.content, booked);
    });
  });

  for (const stream of [false, true]) {
    test(`the loop of the client runs the tools${stream ? ', streamed' : ''}`, () =>
      through({ script: loop() }, async (client) => {
        /** @type {string[]} */
        const ran = [];
        /** @param {string} name */
        const run = (name) => (/** @type {object} */ args) => {
          ran.push(`${name} ${Object.values(args).join(' ')}`);
          return { degrees: 21 };
        };
        /** @type {import('openai/lib/RunnableFunction').RunnableToolFunctionWithParse<object>[]} */
        const tools = [weather, table].map(({ type, function: f }) => ({ type, function: { ...f, description: f.name, parse: JSON.parse, function: run(f.name) } }));
        const request = { model, messages: user('Book a table where it is warm.'), tools };
        const runner = stream ? client.chat.completions.runTools({ ...request, stream }) : client.chat.completions.runTools(request);
        assert.equal(await runner.finalContent(), booked);
        assert.deepEqual(ran, ['get_weather Porto', 'get_weather Lima', 'book_table Porto 2', 'get_weather Porto']);
      }));
  }

  test('arguments are parsed by the schema of the tool', async () => {
    const parameters = z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) });
    const { choices } = await openai.chat.completions.parse({
      model,
      messages: user('Call get_weather and get_time.'),
      tools: [zodFunction({ name: 'get_weather', parameters }), zodFunction({ name: 'get_time', parameters: z.object({}) })],
    });
    const calls = choices[0].message.tool_calls ?? [];
    assert.deepEqual(calls.map((call) => call.function.name), ['get_weather', 'get_time']);
    parameters.parse(calls[0].function.parsed_arguments);
  });

  test('a tool is called by its name, or by none', async () => {
    const request = { model, messages: user(prompt), tools: [weather, table] };
    const one = await openai.chat.completions.create({ ...request, tool_choice: { type: 'function', function: { name: 'book_table' } } });
    assert.deepEqual(one.choices[0].message.tool_calls?.map((call) => call.type === 'function' && call.function.name), ['book_table']);
    const none = await openai.chat.completions.create({ ...request, tool_choice: 'none' });
    assert.equal(none.choices[0].message.tool_calls, undefined);
  });

  test('a signature that was changed is refused', async () => {
    const request = { model, messages: user('How is the weather?'), tools: [weather], tool_choice: /** @type {const} */ ('required') };
    const { choices } = await openai.chat.completions.create(request);
    /** @param {(text: string) => string} change */
    const again = (change) => {
      const answer = JSON.parse(JSON.stringify(choices[0].message), (name, value) => (name === 'thought_signature' ? change(value) : value));
      const call = answer.tool_calls[0];
      const kept = answer.tool_calls[0].extra_content ? answer : memories['by what OpenAI has of them'](answer);
      return openai.chat.completions.create({
        ...request,
        tool_choice: 'auto',
        messages: [...request.messages, kept, { role: 'tool', tool_call_id: call.id, content: '{"degrees":21}' }],
      });
    };
    assert.ok((await again((text) => text)).choices[0].message.content);
    await assert.rejects(again((text) => text.replace(/.{8}$/, 'AAAAAAA=')), (error) => error instanceof BadRequestError && /ignature/.test(error.message));
  });
});

describe('openai: leaving', () => {
  const script = slow();

  test('a client that stops reading ends the call of Gemini', () =>
    through({ script }, async (client, own) => {
      const stream = await client.chat.completions.create({ model, messages: user('slowly'), stream: true });
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) break;
      }
      await left(own);
    }));

  test('a client that leaves before the first chunk ends it too', () =>
    through({ script }, async (client, own) => {
      const signal = AbortSignal.timeout(300);
      await assert.rejects(client.chat.completions.create({ model, messages: user('silently'), stream: true }, { signal }), OpenAI.APIUserAbortError);
      await left(own);
    }));

  test('a client that leaves a whole call ends it too', () =>
    through({ script }, async (client, own) => {
      const signal = AbortSignal.timeout(300);
      await assert.rejects(client.chat.completions.create({ model, messages: user('silently') }, { signal }), OpenAI.APIUserAbortError);
      await left(own);
    }));

  /**
   * Sees that the call of Gemini ended long before it would have.
   * @param {import('../gateway.mjs').Gateway} own
   */
  async function left(own) {
    const [line] = await own.asked(1); // which it says at the end of a request
    assert.match(line, / \d+ms$| \d(\.\d+)?s$|cut/);
  }
});

describe('openai: errors', () => {
  /**
   * @param {Promise<unknown>} call
   * @param {new (...args: never[]) => APIError} kind
   * @param {Partial<APIError>} expected
   */
  async function refused(call, kind, expected) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof kind, String(error));
      const { status, code, type, param } = error;
      const got = { status, code, type, param };
      assert.deepEqual({ ...got, ...expected }, got, error.message);
      assert.match(error.requestID ?? '', /^req_/);
      return true;
    });
  }

  test('an unknown model', async () => {
    for (const stream of [false, true]) {
      const call = openai.chat.completions.create({ model: 'gemmini-9', messages: user(prompt), stream });
      await refused(call, NotFoundError, { status: 404, code: 'model_not_found', type: 'invalid_request_error' });
    }
  });

  test('a wrong request', async () => {
    const wrong = { model, messages: user(prompt), temperature: /** @type {any} */ ('hot') };
    await refused(openai.chat.completions.create(wrong), BadRequestError, { status: 400, type: 'invalid_request_error', param: 'temperature' });
    const unknown = { model, messages: user(prompt), temprature: 1 };
    await refused(openai.chat.completions.create(unknown), BadRequestError, { status: 400, param: 'temprature' });
  });

  test('what is not served', () => refused(openai.images.generate({ prompt }), NotFoundError, { status: 404 }));

  test('a key of a client that is not known, and one that is for another model', () => {
    const hash = `sha256:${createHash('sha256').update('known').digest('hex')}`;
    const keys = write('keys.json', JSON.stringify({ keys: [{ name: 'alice', hash, models: [model] }] }));
    return through({ flags: ['--key-file', keys] }, async (client, own) => {
      await refused(client.chat.completions.create({ model, messages: user(prompt) }), AuthenticationError, { status: 401, code: 'invalid_api_key' });
      await refused(client.models.list(), AuthenticationError, { status: 401 });
      const alice = connect(own.openai, { apiKey: 'known' });
      assert.ok((await alice.chat.completions.create({ model, messages: user(prompt) })).choices[0].message.content);
      const { data } = await alice.models.list();
      assert.deepEqual(data.map(({ id }) => id), [model]);
      await refused(alice.chat.completions.create({ model: 'gemini-2.5-pro', messages: user(prompt) }), APIError, { type: 'invalid_request_error' });
    });
  });

  test("a wrong key of Gemini's", () =>
    through({ key: 'right', flags: ['--callers-key'] }, async (client, own) => {
      await refused(client.chat.completions.create({ model, messages: user(prompt) }), AuthenticationError, { status: 401, code: 'invalid_api_key' });
      const { choices } = await connect(own.openai, { apiKey: 'right' }).chat.completions.create({ model, messages: user(prompt) });
      assert.ok(choices[0].message.content);
    }));

  test('a quota is tried again when its time has come', () => {
    const script = { fixtures: [{ times: 1, reply: [{ fault: { kind: 'rateLimited', retryDelay: '1s' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (_, own) => {
      const begin = Date.now();
      const { choices } = await connect(own.openai, { maxRetries: 2 }).chat.completions.create({ model, messages: user(prompt) });
      assert.equal(choices[0].message.content, 'At last.');
      assert.ok(Date.now() - begin >= 900);
      assert.deepEqual(await own.answered(2), ['POST /v1/chat/completions 429', 'POST /v1/chat/completions 200']);
    });
  });

  test('a quota of the day is not tried again', () => {
    const script = { fixtures: [{ reply: [{ fault: { kind: 'dailyQuota', retryDelay: '2s' } }] }] };
    return through({ script }, async (_, own) => {
      const call = connect(own.openai, { maxRetries: 2 }).chat.completions.create({ model, messages: user(prompt) });
      await refused(call, RateLimitError, { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
      await own.answered(1);
      await own.asked(1);
    });
  });

  test('a failing server is tried again, by gateway and client', () => {
    const script = { fixtures: [{ times: 3, reply: [{ fault: { kind: 'unavailable' } }] }, { reply: 'At last.' }] };
    return through({ script }, async (_, own) => {
      const { choices } = await connect(own.openai, { maxRetries: 2 }).chat.completions.create({ model, messages: user(prompt) });
      assert.equal(choices[0].message.content, 'At last.');
      await own.answered(2);
      await own.asked(4);
    });
  });

  test('a stream that fails in the middle', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    return through({ script }, async (client) => {
      const stream = await client.chat.completions.create({ model, messages: user(prompt), stream: true });
      let text = '';
      await assert.rejects(async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      }, APIError);
      assert.equal(text, 'The beginning');
    });
  });

  test('a stream that is cut off', () => {
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'cut' } }] }] };
    return through({ script }, async (client) => {
      await assert.rejects(client.chat.completions.stream({ model, messages: user(prompt) }).finalContent(), APIError);
    });
  });
});

describe('openai: models and embeddings', () => {
  test('models are listed and described', async () => {
    const ids = [];
    for await (const listed of openai.models.list()) {
      assert.equal(listed.object, 'model');
      ids.push(listed.id);
    }
    assert.ok(ids.includes(model), ids.join());
    assert.equal(new Set(ids).size, ids.length);
    assert.equal((await openai.models.retrieve(model)).id, model);
    await assert.rejects(openai.models.retrieve('gemmini-9'), NotFoundError);
  });

  test('aliases are models', () =>
    through({ flags: ['--alias', `gpt-4o=${model}`] }, async (client) => {
      assert.equal((await client.models.retrieve('gpt-4o')).id, 'gpt-4o');
      assert.ok((await client.models.list()).data.some(({ id }) => id === 'gpt-4o'));
      assert.equal((await client.chat.completions.create({ model: 'gpt-4o', messages: user(prompt) })).model, 'gpt-4o');
    }));

  test('texts are embedded, in base64 by default', async () => {
    const request = { model: 'gemini-embedding-001', input: ['Tea', 'Coffee'], dimensions: 256 };
    const inBase64 = await openai.embeddings.create(request); // which the client asks for by itself, and decodes
    const inNumbers = await openai.embeddings.create({ ...request, encoding_format: 'float' });
    assert.deepEqual(inBase64.data.map(({ index, embedding }) => [index, embedding.length]), [[0, 256], [1, 256]]);
    for (const [i, { embedding }] of inBase64.data.entries()) {
      assert.ok(embedding.every((value, j) => Math.abs(value - inNumbers.data[i].embedding[j]) < 1e-6));
      assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 1e-3);
    }
    assert.ok(inBase64.usage.prompt_tokens > 0);
    assert.equal((await openai.embeddings.create({ model: request.model, input: 'Tea' })).data[0].embedding.length, 3072);
  });

  test('tokens cannot be embedded', () => assert.rejects(openai.embeddings.create({ model: 'gemini-embedding-001', input: [1, 2] }), BadRequestError));
});
