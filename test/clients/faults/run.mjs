// One agent with one fault: its servers, the agent, and how it ended.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gemwire, scratch, start, write } from '../command.mjs';
import { said, scriptOf, written } from './faults.mjs';

/** @typedef {import('./agents.mjs').Agent} Agent */
/** @typedef {import('./faults.mjs').Fault} Fault */

/**
 * How an agent ends: it has finished the task, it stops with an exit code, it stops with 0 as if it had finished, or it
 * has not ended after `limit`.
 * @typedef {'finishes' | 'fails' | 'stops' | 'hangs'} End
 * @typedef {{ end: End, output: string }} Outcome
 */

const limit = 200_000;

/** What servers and agents have of the environment: no key of who runs the tests. */
const base = { PATH: process.env.PATH, LANG: 'C.UTF-8' };

/**
 * Runs an agent through the gateway, or without it.
 * @param {Agent} agent
 * @param {Fault} fault
 * @param {boolean} direct
 * @returns {Promise<Outcome>}
 */
export async function run(agent, fault, direct) {
  const cwd = mkdtempSync(join(scratch, 'project-'));
  const home = mkdtempSync(join(scratch, 'home-'));
  spawnSync('git', ['init', '--quiet', cwd]); // codex does nothing elsewhere
  const servers = await (direct ? without : through)(agent, fault);
  const { flags, env } = agent.start({ url: servers.url, home, cwd });
  const running = runAgent(agent.program, flags, cwd, { ...base, ...homes(home), ...env });
  try {
    if (fault.kills) await restart(servers, cwd, running);
    const { code, output } = await running.ended;
    return { end: endOf(code, output, cwd), output: `${output}\n${servers.lines().join('\n')}` };
  } finally {
    if (!running.isOver()) running.kill();
    await servers.close();
    for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {number | null} code @param {string} output @param {string} cwd @returns {End} */
function endOf(code, output, cwd) {
  if (code === null) return 'hangs';
  if (code !== 0) return 'fails';
  const file = join(cwd, 'two.txt');
  return existsSync(file) && readFileSync(file, 'utf8') === written && output.includes(said) ? 'finishes' : 'stops';
}

/** @param {string} home */
const homes = (home) => ({
  HOME: home,
  TMPDIR: home,
  XDG_DATA_HOME: join(home, 'data'),
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_CACHE_HOME: join(home, 'cache'),
  XDG_STATE_HOME: join(home, 'state'),
});

/**
 * A process of an agent. Its code is null if it had to be killed.
 * @typedef {{ ended: Promise<{ code: number | null, output: string }>, isOver: () => boolean, kill: () => void }} Process
 */

/**
 * Starts an agent.
 * @param {string} program
 * @param {string[]} flags
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Process}
 */
function runAgent(program, flags, cwd, env) {
  const [command, first] = /\.m?js$/.test(program) ? [process.execPath, [program]] : [program, []];
  const child = spawn(command, [...first, ...flags], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL'); // with what it has started
    } catch {} // all of it has ended
  };
  process.once('exit', kill);
  let output = '';
  for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', (piece) => (output += piece));
  const timer = setTimeout(kill, limit);
  let over = false;
  const ended = new Promise((resolve) => {
    child.on('exit', () => {
      over = true;
      kill();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', kill);
      resolve({ code, output });
    });
  });
  return { ended, isOver: () => over, kill };
}

/**
 * Servers of a cell: the address for the agent, what they have printed, whether the second call is asked for, and how
 * the one that the agent calls is killed and started again.
 * @typedef {{ url: string, lines: () => string[], isAsked: () => Promise<boolean>, restart: () => Promise<void>, close: () => Promise<void> }} Servers
 */

/** @param {Agent} agent @param {Fault} fault @returns {Promise<Servers>} */
async function through(agent, fault) {
  const script = scriptOf(agent.tool, agent.args, fault);
  const behind = agent.back ? await origin(script) : await emulate(script);
  const upstream = agent.back ? ['--upstream', 'openai', '--base-url', `${behind.url}/v1`] : ['--upstream', 'gemini', '--base-url', behind.url];
  const env = { ...base, HOME: scratch, GEMINI_API_KEY: 'any', OPENAI_API_KEY: 'any' };
  const store = ['--store', mkdtempSync(join(scratch, 'store-'))];
  const addr = await freeAddress();
  const serve = () => start(gemwire(), ['serve', '--addr', addr, ...upstream, ...(fault.kills ? store : [])], env);
  let gateway = await serve();
  return {
    url: gateway.url,
    lines: () => [...gateway.lines, ...behind.lines],
    async isAsked() {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      return /^gemwire_requests_in_flight(\{[^}]*\})? [1-9]/m.test(metrics);
    },
    async restart() {
      await gateway.close('SIGKILL');
      gateway = await serve();
    },
    async close() {
      await gateway.close('SIGKILL');
      await behind.close('SIGKILL');
    },
  };
}

/** @param {Agent} agent @param {Fault} fault @returns {Promise<Servers>} */
async function without(agent, fault) {
  const addr = await freeAddress();
  const serve = agent.form === 'google' ? emulate : origin;
  let server = await serve(scriptOf(agent.tool, agent.args, fault), addr);
  return {
    url: server.url,
    lines: () => server.lines,
    isAsked: async () => true,
    async restart() {
      await server.close('SIGKILL');
      server = await serve(scriptOf(agent.tool, agent.args, { ...fault, replies: [] }), addr);
    },
    async close() {
      await server.close('SIGKILL');
    },
  };
}

/** @param {object} script */
const emulate = (script, addr = '127.0.0.1:0') =>
  start(gemwire(), ['emulate', '--addr', addr, '--verbose', '--script', write('script.yaml', JSON.stringify(script))], base);

/** @param {object} script */
const origin = (script, addr = '127.0.0.1:0') =>
  start(process.execPath, [fileURLToPath(new URL('origin.mjs', import.meta.url)), addr, write('script.json', JSON.stringify(script))], base);

/**
 * Kills the server that the agent calls, and starts it again, when the first command has run and the second call has been
 * asked for during a second.
 * @param {Servers} servers
 * @param {string} cwd
 * @param {Process} running
 */
async function restart(servers, cwd, running) {
  for (let i = 0, seen = 0; i < 1000 && seen < 10; i++) {
    await sleep(100);
    if (running.isOver()) return;
    seen = existsSync(join(cwd, 'one.txt')) && (await servers.isAsked()) ? seen + 1 : 0;
  }
  await servers.restart();
}

/** Returns an address for a server that is started again. The system gives no such port to connections. */
async function freeAddress() {
  for (let i = 0; ; i++) {
    const port = 12_000 + Math.floor(Math.random() * 18_000);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return `127.0.0.1:${port}`;
    if (i === 100) throw new Error('there is no free port');
  }
}
