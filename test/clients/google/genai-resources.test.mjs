// npm @google/genai, Google's own client: what a service keeps and lists.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { ApiError, createPartFromUri } from '@google/genai';
import { scratch, write } from '../command.mjs';
import { emulate } from './emulator.mjs';
import { checkAnswer, geminiAPI, model, refused, services, until } from './genai.mjs';

/** @type {Awaited<ReturnType<typeof emulate>>} */
let server;
before(async () => {
  server = await emulate();
});
after(() => server.close());

const isThroughGateway = Boolean(process.env.GEMWIRE_THROUGH_GATEWAY);

for (const [service, connect] of Object.entries(services)) {
  const skip = isThroughGateway && service === 'Vertex AI' ? 'the gateway calls by a key here, which reaches no project' : false;

  describe(`@google/genai, resources of ${service}`, () => {
    /** @type {import('@google/genai').GoogleGenAI} */
    let ai;
    before(() => {
      ai = connect(server.url);
    });

    test('texts are embedded', async () => {
      const { embeddings } = await ai.models.embedContent({ model: 'gemini-embedding-001', contents: ['Tea', 'Coffee'], config: { outputDimensionality: 256 } });
      assert.deepEqual(embeddings?.map(({ values }) => values?.length), [256, 256]);
    });

    test('models are listed by pages', async () => {
      const names = [];
      const pager = await ai.models.list({ config: { pageSize: 5 } });
      assert.equal(pager.page.length, 5);
      for await (const { name } of pager) names.push(name);
      const { name } = await ai.models.get({ model });
      assert.ok(names.length > 5 && names.includes(name), names.join(' '));
      assert.equal(new Set(names).size, names.length);
    });

    test('content is cached, used, and deleted', { skip }, async () => {
      const contents = [{ role: 'user', parts: [{ text: 'The sky is blue, the sea is deep. '.repeat(1000) }] }];
      const cached = await ai.caches.create({ model, config: { contents, ttl: '3600s', displayName: 'Sky and sea' } });
      const name = cached.name ?? '';
      const { usageMetadata } = await ai.models.generateContent({ model, contents: 'What is deep?', config: { cachedContent: name } });
      assert.ok(usageMetadata?.cachedContentTokenCount);
      assert.equal(usageMetadata?.cachedContentTokenCount, cached.usageMetadata?.totalTokenCount);
      const { expireTime } = await ai.caches.update({ name, config: { ttl: '18000s' } });
      assert.ok(Date.parse(expireTime ?? '') > Date.parse(cached.expireTime ?? '') + 3_000_000);
      const names = [];
      for await (const { name } of await ai.caches.list()) names.push(name);
      assert.ok(names.includes(name));
      await ai.caches.delete({ name });
      await assert.rejects(ai.caches.get({ name }), ApiError);
    });
  });
}

describe('@google/genai, resources of the Gemini API alone', () => {
  test('a file is uploaded, used, and deleted', async () => {
    const ai = geminiAPI(server.url);
    const path = write('report.pdf', new Uint8Array(20 << 20)); // more than the client sends at once
    const { name = '' } = await ai.files.upload({ file: path, config: { mimeType: 'application/pdf', displayName: 'A report' } });
    const file = await until(() => ai.files.get({ name }), ({ state }) => state !== 'PROCESSING');
    assert.equal(file.state, 'ACTIVE');
    assert.equal(Number(file.sizeBytes), 20 << 20);
    assert.equal(file.displayName, 'A report');
    checkAnswer(await ai.models.generateContent({ model, contents: [createPartFromUri(file.uri ?? '', file.mimeType ?? ''), 'Sum it up.'] }));
    const names = [];
    for await (const listed of await ai.files.list()) names.push(listed.name);
    assert.ok(names.includes(name));
    await ai.files.delete({ name });
    await refused(ai.files.get({ name }), 403, /./);
  });

  test('a batch is run', async () => {
    const ai = geminiAPI(server.url);
    const requests = ['One', 'Two'].map((text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }));
    const { name = '' } = await ai.batches.create({ model, src: requests, config: { displayName: 'Two questions' } });
    const batch = await until(() => ai.batches.get({ name }), ({ state }) => state === 'JOB_STATE_SUCCEEDED' || state === 'JOB_STATE_FAILED');
    assert.equal(batch.state, 'JOB_STATE_SUCCEEDED');
    assert.equal(batch.displayName, 'Two questions');
    assert.equal(batch.dest?.inlinedResponses?.length, 2);
    assert.ok(batch.dest.inlinedResponses.every(({ response }) => response?.candidates?.[0].content?.parts?.[0].text));
    const names = [];
    for await (const listed of await ai.batches.list()) names.push(listed.name);
    assert.ok(names.includes(name));
    await ai.batches.delete({ name });
    await refused(ai.batches.get({ name }), 404, /./);
  });

  test('a batch of a file is run, and its results are downloaded', async () => {
    const ai = geminiAPI(server.url);
    const lines = ['One', 'Two'].map((text, i) => JSON.stringify({ key: `k${i}`, request: { contents: [{ role: 'user', parts: [{ text }] }] } }));
    const { name: source } = await ai.files.upload({ file: write('batch.jsonl', lines.join('\n')), config: { mimeType: 'application/jsonl' } });
    const { name = '' } = await ai.batches.create({ model, src: source ?? '' });
    const batch = await until(() => ai.batches.get({ name }), ({ state }) => state === 'JOB_STATE_SUCCEEDED' || state === 'JOB_STATE_FAILED');
    assert.equal(batch.state, 'JOB_STATE_SUCCEEDED');
    const downloadPath = `${scratch}/results.jsonl`;
    await ai.files.download({ file: batch.dest?.fileName ?? '', downloadPath });
    const answers = readFileSync(downloadPath, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(answers.map(({ key }) => key), ['k0', 'k1']);
    assert.ok(answers.every(({ response }) => response.candidates.length === 1));
  });
});
