// What the suites share about budgets: client keys, and a client that uses its budget up.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { gemwire, scratch } from './command.mjs';
import { serve } from './gateway.mjs';

/**
 * Runs the command, and returns what it prints.
 * @param {string[]} args
 */
export function command(...args) {
  const { status, stdout, stderr } = spawnSync(gemwire(), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

/**
 * Starts a gateway with keys by name, each with the flags of `gemwire keys new`, and a key "admin". The fake server is
 * a process of its own, so that its answers have the prices of the Gemini API.
 * @param {Record<string, string[]>} clients
 */
export async function serveKeys(clients) {
  const folder = mkdtempSync(join(scratch, 'spending-'));
  const file = join(folder, 'keys.yaml');
  const store = join(folder, 'store');
  /** @type {Record<string, string>} */
  const keys = {};
  for (const [name, flags] of Object.entries({ ...clients, admin: ['--admin'] })) {
    keys[name] = command('keys', 'new', name, '--key-file', file, ...flags);
  }
  const gateway = await serve({ key: 'priced', flags: ['--key-file', file, '--store', store] });
  return { gateway, keys, file, store };
}

/** The budget that the clients use up, with answers of about 16 tokens. */
export const budget = 200;
export const period = 'day';
export const usedUp = /the budget of the key \w+, 200 tokens per day, is used up; it resets at 20\d\d-\d\d-\d\dT00:00:00Z/;

/**
 * Calls until a call fails, and returns its error. From 80 % of the budget on, answers have a warning.
 * @param {() => Promise<string | null | undefined>} call returns the warning in the headers of an answer
 * @returns {Promise<{ error: any, calls: number }>}
 */
export async function useUp(call) {
  const warnings = [];
  for (let calls = 0; calls < 100; calls++) {
    try {
      warnings.push((await call()) ?? '');
    } catch (error) {
      const first = warnings.findIndex((warning) => warning !== '');
      assert.ok(first > 0, `no warning, or too early: ${warnings.join('\n')}`);
      for (const warning of warnings.slice(first)) {
        const share = /^(\d+) % of the budget of the key \w+, 200 tokens per day, is used; it resets at /.exec(warning)?.[1];
        assert.ok(share && Number(share) >= 80 && Number(share) < 100, warning);
      }
      return { error, calls };
    }
  }
  throw new Error('the budget is not used up');
}
