// npm openai: OpenAI's own client of the Files and Batch API.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { BadRequestError, NotFoundError, toFile } from 'openai';
import { serve } from '../gateway.mjs';
import { slow } from './conversation.mjs';

/** @typedef {import('openai/resources/batches').Batch} Batch */
/** @typedef {import('openai/resources/batches').BatchCreateParams['endpoint']} Endpoint */
/** @typedef {import('../gateway.mjs').Gateway} Gateway */

const model = 'gemini-3.6-flash';

/** @type {string} */
let directory;
/** @type {Gateway} */
let gateway;
/** @type {OpenAI} */
let openai;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bulk-'));
  gateway = await serve({ flags: ['--store', directory] });
  openai = new OpenAI({ baseURL: gateway.openai, apiKey: 'any', maxRetries: 0 });
});
after(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true });
});

/**
 * Sends requests as a file, each with the number of its line for an id.
 * @param {object[]} bodies
 * @param {Endpoint} url
 */
async function upload(bodies, url, client = openai) {
  const lines = bodies.map((body, i) => JSON.stringify({ custom_id: `line ${i}`, method: 'POST', url, body }));
  const file = await toFile(Buffer.from(lines.join('\n') + '\n'), 'requests.jsonl');
  return client.files.create({ file, purpose: 'batch' });
}

/**
 * Waits for a batch to end, as programs do.
 * @param {string} id
 */
async function ended(id, client = openai) {
  for (let i = 0; i < 300; i++) {
    const batch = await client.batches.retrieve(id);
    if (['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) return batch;
    assert.ok(['validating', 'in_progress', 'finalizing', 'cancelling'].includes(batch.status), batch.status);
    await sleep(100);
  }
  throw new Error(`the batch ${id} does not end`);
}

/**
 * Reads the lines of a file of results.
 * @param {string} id
 * @returns {Promise<any[]>}
 */
async function results(id, client = openai) {
  const text = await (await client.files.content(id)).text();
  assert.ok(text.endsWith('\n'));
  return text.trimEnd().split('\n').map((line) => JSON.parse(line));
}

describe('openai: batches', () => {
  /** @type {[Endpoint, object, (body: any) => void][]} */
  const forms = [
    ['/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Why is the sky blue?' }] }, (body) => assert.match(body.choices[0].message.content, /sky blue/)],
    ['/v1/responses', { model, input: 'Why is the sky blue?' }, (body) => assert.match(body.output.find((/** @type {{ type: string }} */ item) => item.type === 'message').content[0].text, /sky blue/)],
    ['/v1/embeddings', { model: 'gemini-embedding-001', input: 'Why is the sky blue?', dimensions: 3 }, (body) => assert.equal(body.data[0].embedding.length, 3)],
  ];
  for (const [url, body, check] of forms) {
    test(`a batch of ${url} is answered`, async () => {
      const file = await upload([body, body, body], url);
      assert.match(file.id, /^file-/);
      assert.equal((await openai.files.waitForProcessing(file.id, { pollInterval: 10 })).status, 'processed');
      const created = await openai.batches.create({ input_file_id: file.id, endpoint: url, completion_window: '24h', metadata: { name: 'mine' } });
      assert.match(created.id, /^batch_[0-9a-f]{32}$/);
      assert.equal(created.status, 'validating');
      assert.equal(created.expires_at, created.created_at + 86_400);
      const batch = await ended(created.id);
      assert.equal(batch.status, 'completed', JSON.stringify(batch));
      assert.deepEqual(batch.request_counts, { total: 3, completed: 3, failed: 0 });
      assert.deepEqual(batch.metadata, { name: 'mine' });
      assert.ok(batch.completed_at && batch.finalizing_at && batch.in_progress_at && batch.completed_at >= batch.created_at);
      assert.equal(batch.error_file_id, null);
      const lines = await results(/** @type {string} */ (batch.output_file_id));
      assert.deepEqual(lines.map((line) => line.custom_id).sort(), ['line 0', 'line 1', 'line 2']);
      for (const line of lines) {
        assert.match(line.id, /^batch_req_/);
        assert.equal(line.error, null);
        assert.equal(line.response.status_code, 200);
        assert.ok(line.response.request_id);
        check(line.response.body);
      }
    });
  }

  // kaapi-backend#723: who reads only the output file of a batch of failures has none.
  test('a batch of failures alone has no output file but an error file', async () => {
    const body = { model: 'no-such-model', messages: [{ role: 'user', content: 'hello' }] };
    const file = await upload([body], '/v1/chat/completions');
    const { id } = await openai.batches.create({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    const batch = await ended(id);
    assert.equal(batch.status, 'completed');
    assert.equal(batch.output_file_id, null);
    const [line] = await results(/** @type {string} */ (batch.error_file_id));
    assert.equal(line.error, null);
    assert.equal(line.response.status_code, 404);
    assert.equal(line.response.body.error.code, 'model_not_found');
  });

  // instructor#1120: what is wrong with a file is told by the batch, with the line.
  test('a batch of a wrong file fails with all its lines', async () => {
    const good = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model, messages: [{ role: 'user', content: 'hello' }] } };
    const lines = [JSON.stringify(good), JSON.stringify(good), '{"custom_id":', JSON.stringify({ ...good, custom_id: 'b', url: '/v1/embeddings' })];
    const file = await openai.files.create({ file: await toFile(Buffer.from(lines.join('\n')), 'wrong.jsonl'), purpose: 'batch' });
    const { id } = await openai.batches.create({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
    const batch = await ended(id);
    assert.equal(batch.status, 'failed');
    assert.ok(batch.failed_at);
    const codes = batch.errors?.data?.map(({ line, code }) => `${line} ${code}`);
    assert.deepEqual(codes, ['2 duplicate_custom_id', '3 invalid_json_line', '4 url_mismatch']);
  });

  // warmbly#333: what was answered before the end is kept, and each other request is told to be not run.
  test('a batch is canceled', async () => {
    const store = mkdtempSync(join(tmpdir(), 'bulk-'));
    const own = await serve({ script: slow(), flags: ['--store', store] });
    try {
      const client = new OpenAI({ baseURL: own.openai, apiKey: 'any', maxRetries: 0 });
      const bodies = ['quickly', 'silently', 'silently'].map((content) => ({ model, messages: [{ role: 'user', content }] }));
      const file = await upload(bodies, '/v1/chat/completions', client);
      const { id } = await client.batches.create({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' });
      for (let i = 0; i < 300 && (await client.batches.retrieve(id)).status === 'validating'; i++) await sleep(100);
      await sleep(1000); // in which the first one is answered
      const canceled = await client.batches.cancel(id);
      assert.ok(['cancelling', 'cancelled'].includes(canceled.status), canceled.status);
      const batch = await ended(id, client);
      assert.equal(batch.status, 'cancelled');
      assert.ok(batch.cancelling_at && batch.cancelled_at);
      assert.deepEqual(batch.request_counts, { total: 3, completed: 1, failed: 2 });
      assert.deepEqual((await results(/** @type {string} */ (batch.output_file_id), client)).map((line) => line.custom_id), ['line 0']);
      for (const { error, response } of await results(/** @type {string} */ (batch.error_file_id), client)) {
        assert.equal(error.code, 'batch_cancelled');
        assert.equal(response, null);
      }
    } finally {
      await own.close();
      rmSync(store, { recursive: true });
    }
  });

  test('files and batches are listed page by page', async () => {
    const names = [];
    for await (const file of openai.files.list({ limit: 2, purpose: 'batch' })) names.push(file.id);
    assert.ok(names.length >= 4 && new Set(names).size === names.length, String(names));
    const ids = [];
    for await (const batch of openai.batches.list({ limit: 2 })) ids.push(batch.created_at);
    assert.ok(ids.length >= 4);
    assert.deepEqual(ids, ids.toSorted((a, b) => b - a));
  });

  test('a file is deleted', async () => {
    const file = await openai.files.create({ file: await toFile(Buffer.from('text'), 'notes.txt'), purpose: 'user_data' });
    assert.equal(await (await openai.files.content(file.id)).text(), 'text');
    assert.deepEqual(await openai.files.delete(file.id), { id: file.id, object: 'file', deleted: true });
    await assert.rejects(openai.files.retrieve(file.id), NotFoundError);
  });

  test('what cannot be is refused at once', async () => {
    const endpoint = '/v1/chat/completions';
    await assert.rejects(openai.batches.retrieve('batch_0'), NotFoundError);
    await assert.rejects(openai.batches.create({ input_file_id: 'file-0', endpoint, completion_window: '24h' }), BadRequestError);
    const wrong = await toFile(Buffer.from('x'), 'requests.csv');
    await assert.rejects(openai.files.create({ file: wrong, purpose: 'batch' }), BadRequestError); // litellm#37527
  });
});
