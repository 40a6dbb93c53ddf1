// codex, OpenAI's agent, which speaks the Responses API alone. It keeps of a response what it knows, and sends back the
// signatures in encrypted_content. The fake server goes on only when they have come back byte for byte.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratch } from '../command.mjs';
import { serve } from '../gateway.mjs';

const program = fileURLToPath(new URL('node_modules/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', import.meta.url));
const skip = existsSync(program) ? false : 'there is no codex for this machine';
const model = 'gemini-3.5-flash';
const exec = promisify(execFile);

/** Makes an empty repository, without which codex does nothing. */
async function repository() {
  const cwd = mkdtempSync(join(scratch, 'project-'));
  await exec('git', ['init', '--quiet', cwd]);
  return cwd;
}

/**
 * Runs a prompt in a folder, and returns what was printed. It rejects when the exit code is not 0.
 * @param {import('../gateway.mjs').Gateway} gateway
 * @param {string} cwd
 * @param {string} prompt
 */
async function run(gateway, cwd, prompt) {
  const home = mkdtempSync(join(scratch, 'home-'));
  mkdirSync(join(home, '.codex'));
  const config = [
    `model = "${model}"`,
    'model_provider = "gemwire"',
    '[model_providers.gemwire]',
    'name = "gemwire"',
    `base_url = "${gateway.openai}"`,
    'env_key = "GEMWIRE_KEY"',
    'wire_api = "responses"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
  ];
  writeFileSync(join(home, '.codex', 'config.toml'), `${config.join('\n')}\n`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, '.codex'), TMPDIR: home, GEMWIRE_KEY: 'any' };
  const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const running = exec(program, [...flags, prompt], { cwd, env, timeout: 200_000, killSignal: 'SIGKILL' });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout.trim();
}

const first = 'Zmlyc3Q/Pj8+8J+Usv//AAE=';
const second = 'c2Vjb25k+/+//w==';

/** Three calls, two of them at once, each turn with the signature of the one before it, and the answer. */
const loop = {
  strict: true,
  fixtures: [
    {
      match: { turn: 0, tool: 'exec_command' },
      reply: [
        { thought: 'Two files first.' },
        { call: { name: 'exec_command', args: { cmd: 'printf "one\\n" > one.txt' } }, signature: first },
        { call: { name: 'exec_command', args: { cmd: 'printf "extra\\n" > extra.txt' } } },
      ],
    },
    {
      match: { turn: 1, toolResult: 'exec_command', signature: first },
      reply: [{ call: { name: 'exec_command', args: { cmd: 'cat one.txt one.txt > two.txt' } }, signature: second }],
    },
    {
      match: { turn: 2, toolResult: 'exec_command', signature: second },
      reply: [{ call: { name: 'exec_command', args: { cmd: 'cat two.txt' } } }],
    },
    { match: { turn: 3, toolResult: 'exec_command', signature: first }, reply: 'Both files are written.' },
  ],
};

describe('codex', { skip }, () => {
  test('it answers a prompt', async () => {
    const gateway = await serve({ script: { fixtures: [{ match: { prompt: 'sky' }, reply: 'The light scatters.' }] } });
    try {
      assert.match(await run(gateway, await repository(), 'Why is the sky blue?'), /The light scatters\.$/);
    } finally {
      await gateway.close();
    }
  });

  test('it runs a loop of three turns', async () => {
    const cwd = await repository();
    const gateway = await serve({ script: loop });
    try {
      assert.match(await run(gateway, cwd, 'Write one.txt, and its double into two.txt.'), /Both files are written\.$/);
      assert.equal(readFileSync(join(cwd, 'one.txt'), 'utf8'), 'one\n');
      assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'one\none\n');
      assert.equal(readFileSync(join(cwd, 'extra.txt'), 'utf8'), 'extra\n');
    } finally {
      await gateway.close();
    }
  });
});
