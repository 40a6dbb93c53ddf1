// gemwire serve with its inspector, and servers behind it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from './browser.mjs';

/**
 * Starts a program, and reads its log until a line has what is looked for.
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 * @param {(line: string) => string | undefined} find
 * @param {Record<string, string>} [env]
 */
async function start(t, args, find, env = {}) {
  const child = spawn(build('gemwire'), args, {
    stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const exit = once(child, 'exit');
  process.once('exit', () => child.kill());
  t.after(async () => {
    child.kill();
    await exit;
  });
  const lines = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    const found = find(line);
    if (!found) continue;
    child.stderr.resume();
    return found;
  }
  throw new Error(`gemwire ${args[0]} ended: ${lines.join('\n')}`);
}

/**
 * Starts the fake server with a script, and returns its address.
 * @param {import('node:test').TestContext} t
 * @param {object} script
 */
export async function emulate(t, script) {
  const folder = mkdtempSync(join(tmpdir(), 'gemwire-script-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  return start(t, ['emulate', '--addr', '127.0.0.1:0', '--script', file], (line) => /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1]);
}

/**
 * Starts the gateway.
 * @param {import('node:test').TestContext} t
 * @param {{ flags?: string[], env?: Record<string, string> }} [of]
 */
export async function serve(t, { flags = [], env = {} } = {}) {
  let url = '';
  const link = await start(t, ['serve', '--addr', '127.0.0.1:0', '--inspect', '--inspect-bodies', '--inspect-addr', '127.0.0.1:0', ...flags], (line) => {
    url ||= /url=(http:\/\/127\.0\.0\.1:\d+) openai=/.exec(line)?.[1] ?? '';
    return /url="?(http:\/\/127\.0\.0\.1:\d+\/\?token=\w+)/.exec(line)?.[1];
  }, env);
  return {
    link, url: () => url,
    /** @param {object} body @param {string} [path] @param {Record<string, string>} [header] */
    async ask(body, path = '/v1/chat/completions', header = {}) {
      const answer = await fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...header }, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    },
  };
}
