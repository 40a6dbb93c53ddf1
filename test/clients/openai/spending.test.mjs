// npm openai: usage, costs and budgets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { PermissionDeniedError, RateLimitError, toFile } from 'openai';
import { budget, command, period, serveKeys, usedUp, useUp } from '../spending.mjs';

const model = 'gemini-3.6-flash';
/** @type {{ role: 'user', content: string }[]} */
const messages = [{ role: 'user', content: 'Why is the sky blue?' }];
const limit = ['--token-budget', `${budget}/${period}`];
const clients = { chat: limit, stream: limit, responses: limit, batch: limit };

describe('openai: spending', () => {
  /** @type {Awaited<ReturnType<typeof serveKeys>>} */
  let server;
  before(async () => {
    server = await serveKeys(clients);
  });
  after(() => server.gateway.close());

  /** @param {string} name */
  const connect = (name, maxRetries = 2) => new OpenAI({ baseURL: server.gateway.openai, apiKey: server.keys[name], adminAPIKey: server.keys[name], maxRetries });

  /** @type {Record<string, (openai: OpenAI) => Promise<string | null>>} */
  const ways = {
    async chat(openai) {
      const { response } = await openai.chat.completions.create({ model, messages, max_tokens: 16 }).withResponse();
      return response.headers.get('x-gemwire-budget-warning');
    },
    async stream(openai) {
      const { data, response } = await openai.chat.completions.create({ model, messages, max_tokens: 16, stream: true }).withResponse();
      for await (const chunk of data) assert.equal(chunk.object, 'chat.completion.chunk');
      return response.headers.get('x-gemwire-budget-warning');
    },
    async responses(openai) {
      const { response } = await openai.responses.create({ model, input: 'Why is the sky blue?', max_output_tokens: 16 }).withResponse();
      return response.headers.get('x-gemwire-budget-warning');
    },
  };
  /** @type {Record<string, number>} */
  const answered = {};
  for (const [name, call] of Object.entries(ways)) {
    test(`${name}: a used-up budget is a quota error, which the client does not retry`, async () => {
      const { error, calls } = await useUp(() => call(connect(name)));
      answered[name] = calls;
      assert.ok(error instanceof RateLimitError, String(error));
      assert.equal(error.status, 429);
      assert.equal(error.code, 'insufficient_quota');
      assert.equal(error.type, 'insufficient_quota');
      assert.match(error.message, usedUp);
      assert.match(String(error.headers?.get('x-gemwire-budget-reset')), /^20\d\d-\d\d-\d\dT00:00:00Z$/);
      assert.equal(error.headers?.get('x-should-retry'), 'false');
    });
  }

  test('batch: a used-up budget pauses the batch, and a raised one continues it', async () => {
    const openai = connect('batch');
    const lines = Array.from({ length: 50 }, (_, i) => JSON.stringify({ custom_id: `${i}`, method: 'POST', url: '/v1/chat/completions', body: { model, messages, max_tokens: 16 } }));
    const file = await openai.files.create({ file: await toFile(Buffer.from(lines.join('\n')), 'requests.jsonl'), purpose: 'batch' });
    const { id } = await openai.batches.create({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    for (let i = 0; i < 300 && !usedUp.test(command('batch', 'status', id, '--store', server.store)); i++) await sleep(100);
    const paused = await openai.batches.retrieve(id);
    assert.equal(paused.status, 'in_progress');
    assert.equal(paused.request_counts?.failed, 0);
    const done = paused.request_counts?.completed ?? 0;
    assert.ok(done >= 10 && done < 20, `${done} requests of about 16 tokens fit into ${budget}`);

    command('keys', 'set', 'batch', '--key-file', server.file, '--token-budget', 'none');
    for (let i = 0; ; i++) { // until the gateway has read the keys
      const batch = await openai.batches.retrieve(id);
      if (batch.status === 'completed') {
        assert.deepEqual(batch.request_counts, { total: 50, completed: 50, failed: 0 });
        break;
      }
      assert.ok(i < 60, JSON.stringify(batch));
      command('batch', 'resume', id, '--store', server.store);
      await sleep(1000);
    }
    answered.batch = 50;
  });

  test('an admin key reads the usage and the costs of all keys', async () => {
    const { usage } = connect('admin').admin.organization;
    const start_time = Math.floor(Date.now() / 1000) - 86_400;
    /** @type {Record<string, number>} */
    const requests = {};
    let tokens = 0;
    const page = await usage.completions({ start_time, group_by: ['api_key_id', 'model'] });
    assert.equal(page.object, 'page');
    for (const bucket of page.data) {
      for (const result of bucket.results) {
        assert.ok(result.object === 'organization.usage.completions.result');
        assert.equal(result.model, model);
        requests[String(result.api_key_id)] = (requests[String(result.api_key_id)] ?? 0) + result.num_model_requests;
        tokens += result.input_tokens + result.output_tokens;
      }
    }
    assert.deepEqual(requests, answered);
    assert.ok(tokens > 3 * budget, String(tokens));
    const costs = await usage.costs({ start_time, group_by: ['api_key_id'] });
    const results = costs.data.flatMap((bucket) => bucket.results);
    assert.equal(results.length, 4, JSON.stringify(results));
    for (const result of results) {
      assert.ok(result.object === 'organization.costs.result');
      assert.equal(result.amount?.currency, 'usd');
      assert.ok(Number(result.amount?.value) > 0);
    }
    const embeddings = await usage.embeddings({ start_time });
    assert.deepEqual(embeddings.data.flatMap((bucket) => bucket.results), []);
  });

  test('any other key reads no usage', async () => {
    await assert.rejects(connect('chat', 0).admin.organization.usage.completions({ start_time: 0 }), PermissionDeniedError);
  });
});
