// What the suites share: the programs under test, each in a process of its own, and a folder for what tests write.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What the tests write lies here. It goes when they end. */
export const scratch = mkdtempSync(join(tmpdir(), 'gemwire-clients-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit(1)); // by the runner, when a test takes too long

/**
 * Writes a file and returns its path.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export function write(name, content) {
  const path = join(mkdtempSync(join(scratch, 'file-')), name);
  writeFileSync(path, content);
  return path;
}

/**
 * A program that runs: its address, the lines that it has printed since, and what stops it, by SIGTERM if no signal is named.
 * @typedef {{ url: string, lines: string[], close: (signal?: NodeJS.Signals) => Promise<number | null> }} Running
 */

/**
 * Starts a program that says on standard error where it listens.
 * @param {string} program
 * @param {string[]} flags
 * @param {NodeJS.ProcessEnv} [env] the whole environment
 * @returns {Promise<Running>}
 */
export async function start(program, flags, env) {
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const exit = once(child, 'exit');
  const kill = () => child.kill();
  process.once('exit', kill); // of a test that did not get to close it
  /** @type {string[]} */
  const lines = [];
  /** @type {Promise<string>} */
  const address = new Promise((resolve, reject) => {
    const reader = createInterface(child.stderr);
    reader.on('line', (line) => {
      const url = /listening (?:on |.*url=)(http:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
      else lines.push(line);
    });
    reader.on('close', () => reject(new Error(`${program} does not say where it listens: ${lines.join('\n')}`)));
  });
  return {
    url: await address,
    lines,
    async close(signal) {
      process.off('exit', kill);
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

/** Returns the path of the command, which is built when GEMWIRE_COMMAND does not name it. */
export function gemwire() {
  return build('GEMWIRE_COMMAND', new URL('../..', import.meta.url), './server/cmd/gemwire');
}

/** Returns the path of what holds the gateway's answers to OpenAI's description; GEMWIRE_WITNESS names it. */
export function witness() {
  return build('GEMWIRE_WITNESS', new URL('go', import.meta.url), './witness');
}

/**
 * @param {string} variable
 * @param {URL} folder
 * @param {string} source
 */
function build(variable, folder, source) {
  const built = process.env[variable];
  if (built) return built;
  const path = join(scratch, variable.toLowerCase());
  const { status, stderr } = spawnSync('go', ['build', '-o', path, source], { cwd: fileURLToPath(folder) });
  if (status !== 0) throw new Error(String(stderr));
  process.env[variable] = path;
  return path;
}
