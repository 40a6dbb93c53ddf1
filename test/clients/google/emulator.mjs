// gemwire emulate, one of its own for a test that wants flags.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What the tests write lies here. It goes when they end. */
export const scratch = mkdtempSync(join(tmpdir(), 'gemwire-google-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit(1)); // by the runner, when a test takes too long

/**
 * Starts the command and returns its address, and what stops it.
 * @param {{ key?: string, script?: string }} [options] the only valid key, and the text of a script
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function emulate({ key, script } = {}) {
  const flags = ['emulate', '--addr', '127.0.0.1:0'];
  if (key) flags.push('--key', key);
  if (script) flags.push('--script', write('script.yaml', script));
  const command = spawn(build(), flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(command, 'exit');
  process.once('exit', () => command.kill()); // of a test that did not get to close it
  const lines = createInterface(command.stderr);
  let said = '';
  for await (const line of lines) {
    const url = line.split('listening on ')[1];
    if (url) {
      command.stderr.resume();
      return {
        url,
        async close() {
          command.kill();
          await exit;
        },
      };
    }
    said += `${line}\n`;
  }
  throw new Error(`gemwire emulate does not say where it listens: ${said}`);
}

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

/** Returns the path of the command, which is built when GEMWIRE_COMMAND does not name it. */
function build() {
  if (process.env.GEMWIRE_COMMAND) return process.env.GEMWIRE_COMMAND;
  const path = join(scratch, 'gemwire');
  const { status, stderr } = spawnSync('go', ['build', '-o', path, './cmd/gemwire'], { cwd: fileURLToPath(new URL('../../..', import.meta.url)) });
  if (status !== 0) throw new Error(String(stderr));
  process.env.GEMWIRE_COMMAND = path;
  return path;
}
