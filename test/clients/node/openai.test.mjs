import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { judge, streamed } from './openai.mjs';
import { startServer } from './server.mjs';
import { applyEdits, brokenCases, hasTestdata, testdata } from './testdata.mjs';

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  server = await startServer();
});
after(() => server.close());

describe('hand-made chunk streams', () => {
  for (const name of ['text', 'tool-calls', 'two-choices', 'refusal']) {
    test(`${name}: the client accepts it`, async () => {
      const baseURL = server.play({ stream: testdata(`openai/${name}.sse`), completion: testdata(`openai/${name}.json`) });
      assert.deepEqual(await judge(baseURL), { verdict: 'accepts', why: '' });
    });
  }

  test('an error in the stream reaches the program', async () => {
    await assert.rejects(streamed(server.play({ stream: testdata('openai/error.sse') })), /All workers are busy\./);
  });
});

describe('broken chunk streams', () => {
  for (const broken of brokenCases('openai')) {
    if (!hasTestdata(`openai/${broken.of}.json`)) continue; // it ends in an error
    test(broken.name, async () => {
      const stream = applyEdits(broken, `openai/${broken.of}.sse`);
      const { verdict, why } = await judge(server.play({ stream, completion: testdata(`openai/${broken.of}.json`) }));
      assert.equal(verdict, broken.clients['openai-node'], why);
    });
  }
});
