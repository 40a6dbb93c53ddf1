import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkParts, rules } from './parts.mjs';
import { judge, parseParts, run } from './streamtext.mjs';
import { applyEdits, brokenCases, hasTestdata, testdata } from './testdata.mjs';
import { typecheck } from './typecheck.mjs';

const names = ['text', 'tool-calls', 'provider-tools', 'server-call', 'cut-off', 'blocked'];

describe('hand-made part streams', () => {
  for (const name of names) {
    test(`${name}: it keeps every rule, and streamText accepts it`, async () => {
      const parts = parseParts(testdata(`aisdk/${name}.ndjson`));
      assert.deepEqual(checkParts(parts), []);
      assert.deepEqual(await judge(parts, JSON.parse(testdata(`aisdk/${name}.json`))), { verdict: 'accepts', why: '' });
    });
  }

  test('an error part reaches the program', async () => {
    const parts = parseParts(testdata('aisdk/error.ndjson'));
    assert.deepEqual(checkParts(parts), []);
    await assert.rejects(run(parts, []), /All workers are busy\./);
  });

  test('the compiler accepts them', () => {
    const streams = new Map([...names, 'error'].map((name) => [name, parseParts(testdata(`aisdk/${name}.ndjson`))]));
    assert.deepEqual(typecheck(streams), new Map());
  });
});

describe('broken part streams', () => {
  const cases = brokenCases('aisdk').map((broken) => ({ ...broken, parts: parseParts(applyEdits(broken, `aisdk/${broken.of}.ndjson`)) }));
  const types = typecheck(new Map(cases.map(({ name, parts }) => [name, parts])));

  for (const { name, of, breaks, parts, clients } of cases) {
    test(`${name}: it breaks the rule that names the fault`, () => {
      const findings = checkParts(parts);
      assert.deepEqual([...new Set(findings.map(({ rule }) => rule))], breaks, JSON.stringify(findings));
    });

    test(`${name}: the compiler ${clients.tsc}`, () => {
      assert.equal(types.has(name) ? 'refuses' : 'accepts', clients.tsc, types.get(name)?.join('\n'));
    });

    if (!hasTestdata(`aisdk/${of}.json`)) continue; // it ends in an error
    test(`${name}: streamText ${clients.streamText}`, async () => {
      const { verdict, why } = await judge(parts, JSON.parse(testdata(`aisdk/${of}.json`)));
      assert.equal(verdict, clients.streamText, why);
    });
  }

  test('every rule is broken by a case', () => {
    assert.deepEqual([...new Set(cases.flatMap(({ breaks }) => breaks))].sort(), rules.toSorted());
  });
});
