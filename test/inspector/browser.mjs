// A server with an inspector, and a browser that opens it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Where the pictures go, which git does not keep. */
export const pictures = join(folder, 'screenshots');
mkdirSync(pictures, { recursive: true });

const scratch = mkdtempSync(join(tmpdir(), 'gemwire-inspector-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));

const programs = { server: ['.', './server'], gemwire: ['../..', './server/cmd/gemwire'] };

/** @type {Record<string, string>} */
const built = {};

/**
 * Returns the path of a program, which is built once, or lies in the folder of GEMWIRE_PROGRAMS.
 * @param {keyof typeof programs} name
 */
export function build(name) {
  if (process.env.GEMWIRE_PROGRAMS) return join(process.env.GEMWIRE_PROGRAMS, name);
  if (!built[name]) {
    built[name] = join(scratch, name);
    const [module, path] = programs[name];
    const { status, stderr } = spawnSync('go', ['build', '-o', built[name], path], { cwd: join(folder, module) });
    if (status !== 0) throw new Error(String(stderr));
  }
  return built[name];
}

/**
 * Starts a server with an inspector.
 * @param {...string} args of the server
 */
export async function serve(...args) {
  const child = spawn(build('server'), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  running.add(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  const { page, control } = JSON.parse(String(line));
  /** @param {string} path */
  const ask = async (path) => {
    const answer = await fetch(control + path, { method: 'POST' });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  return {
    url: String(page),
    /** Plays a scene and returns the selector of its row. @param {string} scene */
    play: async (scene) => `.spacer .row[data-number="${await ask(`/play?scene=${scene}`)}"]`,
    /** @param {number} times */
    history: (times) => ask(`/history?times=${times}`),
    leave: () => ask('/leave'),
    jobs: () => ask('/jobs'),
    link: () => ask('/link'),
    async close() {
      child.stdin.end();
      await exit;
      running.delete(child);
    },
  };
}

/**
 * Starts the browser: Debian's, or that of CHROMIUM. As root it has no sandbox to run in.
 * @param {...string} args
 */
export function launch(...args) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? spawnSync('sh', ['-c', 'command -v chromium']).stdout.toString().trim(),
    args: ['--disable-lcd-text', ...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

const sizes = { wide: { width: 1440, height: 900 }, usual: { width: 1280, height: 800 } };

/**
 * Opens the page of a server of its own, for one test. An error on the page fails the test.
 * @param {import('node:test').TestContext} t
 * @param {import('playwright-core').Browser} browser
 * @param {{ args?: string[], size?: keyof typeof sizes }} [options]
 */
export async function open(t, browser, { args = ['bodies'], size = 'usual' } = {}) {
  const stage = await serve(...args);
  const context = await browser.newContext({
    viewport: sizes[size], locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  t.after(async () => {
    await context.close();
    await stage.close();
    if (errors.length > 0) throw new Error(`the page failed: ${errors.join('\n')}`);
  });
  await page.goto(await stage.link());
  await page.getByRole('status').getByText('Live').waitFor();
  return { page, stage, context };
}
