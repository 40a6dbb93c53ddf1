// Gemini CLI, an agent that runs tools: it sends each answer back with its signatures, or the server refuses.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { scratch } from '../command.mjs';
import { chat } from './chat.mjs';
import { emulate } from './emulator.mjs';

const program = fileURLToPath(new URL('node_modules/@google/gemini-cli/bundle/gemini.js', import.meta.url));

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
};

/** A picture of one pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

/** Makes an empty folder to work in. */
const folder = () => mkdtempSync(join(scratch, 'project-'));

/** A document of one empty page. */
const paper = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/**
 * Runs a prompt in a folder, and returns what was printed. It rejects when the exit code is not 0.
 * @param {string} url
 * @param {string} cwd
 * @param {string} prompt
 * @param {{ signal?: AbortSignal, flags?: string[], model?: string }} [options]
 */
async function run(url, cwd, prompt, { signal, flags = [], model = 'gemini-3.8-flash' } = {}) {
  const home = mkdtempSync(join(scratch, 'home-'));
  mkdirSync(join(home, '.gemini'));
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home, // for its reports of errors
    GEMINI_API_KEY: 'any',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true', // it would run in a second process, which lives on when the first is killed
  };
  const running = promisify(execFile)(process.execPath, [program, '--yolo', '-m', model, '-p', prompt, ...flags], {
    cwd,
    env,
    timeout: 60_000,
    killSignal: 'SIGKILL',
    signal,
  });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout.trim();
}

const signature = Buffer.from('a signature of the first call').toString('base64');

/**
 * Three calls, each of which needs the one before it, and the answer. The signature of the first call has to be there to
 * the end; those of the others are the server's own, which it checks.
 * @param {string} cwd
 */
const loop = (cwd) => ({
  strict: true,
  fixtures: [
    {
      match: { turn: 0, tool: 'write_file' },
      reply: [{ thought: 'A file first.' }, { call: { name: 'write_file', args: { file_path: join(cwd, 'one.txt'), content: 'one\n' } }, signature }],
    },
    {
      match: { turn: 1, toolResult: 'write_file', signature },
      reply: [{ call: { name: 'run_shell_command', args: { command: 'cat one.txt one.txt > two.txt', description: 'Doubles the file' } } }],
    },
    {
      match: { turn: 2, toolResult: 'run_shell_command', signature },
      reply: [{ call: { name: 'read_file', args: { file_path: join(cwd, 'two.txt') } } }],
    },
    { match: { turn: 3, toolResult: { name: 'read_file', content: 'one' }, signature }, reply: 'Both files are written.' },
  ],
});

describe('Gemini CLI', () => {
  test('it answers a prompt', async () => {
    const server = await emulate();
    try {
      assert.notEqual(await run(server.url, folder(), 'Why is the sky blue?'), '');
    } finally {
      await server.close();
    }
  });

  test('it runs a loop of three tools', async () => {
    const cwd = folder();
    const server = await emulate({ script: JSON.stringify(loop(cwd)) });
    try {
      assert.equal(await run(server.url, cwd, 'Write one.txt, and its double into two.txt.'), 'Both files are written.');
      assert.equal(readFileSync(join(cwd, 'one.txt'), 'utf8'), 'one\n');
      assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'one\none\n');
    } finally {
      await server.close();
    }
  });

  test('it answers a prompt on chat_completions, and shows a picture there', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'pixel.png'), pixel);
    const server = await chat();
    try {
      assert.match(await run(server.url, cwd, 'Describe @pixel.png'), /The sky is blue|results/);
      assert.ok(server.requests.some(({ messages }) => JSON.stringify(messages).includes('data:image/png;base64,')));
    } finally {
      await server.close();
    }
  });

  test('it shows a document on chat_completions', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'paper.pdf'), paper);
    const server = await chat();
    try {
      assert.match(await run(server.url, cwd, 'Describe @paper.pdf'), /The sky is blue|results/);
      const sent = JSON.stringify(server.requests.map(({ messages }) => messages));
      assert.ok(sent.includes(`data:application/pdf;base64,${paper.toString('base64')}`), sent.slice(-2000));
    } finally {
      await server.close();
    }
  });

  test('it has chat_completions think, and keeps the thoughts out of the answer', async () => {
    const server = await chat({ script: ['Blue light is scattered.'] });
    try {
      const { response, stats } = JSON.parse(await run(server.url, folder(), 'Why is the sky blue?', { flags: ['--output-format', 'json'] }));
      assert.equal(response, 'Blue light is scattered.');
      assert.ok(server.requests.some((body) => body.reasoning_effort), 'no effort was asked for');
      const [{ tokens }] = /** @type {{ tokens: { thoughts: number } }[]} */ (Object.values(stats.models));
      assert.equal(tokens.thoughts, 5);
    } finally {
      await server.close();
    }
  });

  test('it reaches another model by a pattern, whichever model it asks for', async () => {
    const server = await chat({ flags: ['--alias', 'gemini-*=gpt-5.1'], script: ['It is blue.'] });
    try {
      for (const model of ['gemini-3.5-flash', 'gemini-3.6-flash'])
        assert.equal(await run(server.url, folder(), 'Why is the sky blue?', { model }), 'It is blue.');
      assert.deepEqual([...new Set(server.requests.map(({ model }) => model))], ['gpt-5.1']);
    } finally {
      await server.close();
    }
  });

  test('it shows why chat_completions refuse', async () => {
    const server = await chat();
    try {
      await assert.rejects(run(server.url, folder(), 'refuse this'), /That is not for this model/); // 429 it tries again for minutes
    } finally {
      await server.close();
    }
  });

  test('it leaves, and the request to chat_completions ends', async () => {
    const server = await chat();
    try {
      const leaving = new AbortController();
      const left = assert.rejects(run(server.url, folder(), 'forever', { signal: leaving.signal }));
      for (let i = 0; i < 600 && !server.requests.some(({ messages }) => JSON.stringify(messages).includes('forever')); i++) await sleep(50);
      leaving.abort();
      await left;
      for (let i = 0; i < 200 && !server.left(); i++) await sleep(50);
      assert.ok(server.left());
    } finally {
      await server.close();
    }
  });

  test('it runs a loop of three tools on chat_completions', async () => {
    const cwd = folder();
    const server = await chat({
      script: [
        { name: 'write_file', args: { file_path: join(cwd, 'one.txt'), content: 'one\n' } },
        { name: 'run_shell_command', args: { command: 'cat one.txt one.txt > two.txt', description: 'Doubles the file' } },
        { name: 'read_file', args: { file_path: join(cwd, 'two.txt') } },
        'Both files are written.',
      ],
    });
    try {
      assert.equal(await run(server.url, cwd, 'Write one.txt, and its double into two.txt.'), 'Both files are written.');
      assert.equal(readFileSync(join(cwd, 'one.txt'), 'utf8'), 'one\n');
      assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'one\none\n');
    } finally {
      await server.close();
    }
  });
});
