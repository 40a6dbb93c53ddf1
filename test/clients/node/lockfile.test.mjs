import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

for (const folder of ['node', 'google', 'openai', 'opencode', 'faults']) {
  test(`the lock file of ${folder} pins every package by its hash, and names no registry`, () => {
    const { packages } = JSON.parse(readFileSync(new URL(`../${folder}/package-lock.json`, import.meta.url), 'utf8'));
    for (const [path, { integrity, resolved }] of Object.entries(packages)) {
      if (path === '') continue;
      assert.match(integrity ?? '', /^sha512-/, path);
      assert.equal(resolved, undefined, path);
    }
  });
}
