// opencode, an agent that runs tools. As its chat provider it keeps of a call the id and no extension, as its provider for
// Google the signature and no id, as those for the Responses API and for Messages what is sealed before a call. The fake server goes on only when the signatures have come back byte for byte.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratch, write } from '../command.mjs';
import { idle, serve, underWay } from '../gateway.mjs';

const program = fileURLToPath(new URL('node_modules/opencode-linux-x64-baseline/bin/opencode', import.meta.url));
const skip = existsSync(program) ? false : 'there is no opencode for this machine';
const model = 'gemini-3.6-flash';

/**
 * The providers of opencode, by the packages that are in it, and what they are pointed at.
 * @type {Record<string, (gateway: import('../gateway.mjs').Gateway) => string>}
 */
const providers = {
  '@ai-sdk/openai-compatible': ({ openai }) => openai,
  '@ai-sdk/google': ({ url }) => `${url}/v1beta`,
  '@ai-sdk/openai': ({ openai }) => openai,
  '@ai-sdk/anthropic': ({ url }) => `${url}/v1`,
};

/** A picture of one pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

/** Makes an empty folder. */
const folder = () => mkdtempSync(join(scratch, 'project-'));

/**
 * Runs a prompt in a folder, and returns what was printed. It rejects when the exit code is not 0.
 * @param {string} npm
 * @param {string} baseURL
 * @param {string} cwd
 * @param {string} prompt
 * @param {{ flags?: string[], asked?: string, tools?: boolean, signal?: AbortSignal }} [options] asked is the model
 */
async function run(npm, baseURL, cwd, prompt, { flags = [], asked = model, tools = true, signal } = {}) {
  const home = folder();
  const can = { name: 'Gemini', attachment: true, reasoning: true, modalities: { input: ['text', 'image', 'pdf'], output: ['text'] } };
  const provider = { gemwire: { npm, options: { baseURL, apiKey: 'any' }, models: { [asked]: can } } };
  writeFileSync(join(cwd, 'opencode.json'), JSON.stringify({ provider, ...(tools ? {} : { tools: { '*': false } }) }));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_STATE_HOME: join(home, 'state'),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  };
  const running = promisify(execFile)(program, ['run', '-m', `gemwire/${asked}`, prompt, ...flags], {
    cwd,
    env,
    timeout: 200_000,
    killSignal: 'SIGKILL',
    signal,
  });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout.trim();
}

const first = 'Zmlyc3Q/Pj8+8J+Usv//AAE=';
const second = 'c2Vjb25k+/+//w==';

/**
 * Three calls, each of which needs the one before it, and the answer. The request for a title has no tools.
 * @param {string} cwd
 */
const loop = (cwd) => ({
  strict: true,
  fixtures: [
    {
      match: { turn: 0, tool: 'write' },
      reply: [{ thought: 'A file first.' }, { call: { name: 'write', args: { filePath: join(cwd, 'one.txt'), content: 'one\n' } }, signature: first }],
    },
    {
      match: { turn: 1, toolResult: 'write', signature: first },
      reply: [{ call: { name: 'bash', args: { command: 'cat one.txt one.txt > two.txt', description: 'Doubles the file' } }, signature: second }],
    },
    {
      match: { turn: 2, toolResult: 'bash', signature: second },
      reply: [{ call: { name: 'read', args: { filePath: join(cwd, 'two.txt') } } }],
    },
    { match: { turn: 3, toolResult: { name: 'read', content: 'one' }, signature: first }, reply: 'Both files are written.' },
    { match: { turn: 0 }, reply: 'Two files' },
  ],
});

for (const [npm, address] of Object.entries(providers)) {
  describe(`opencode by ${npm}`, { skip }, () => {
    test('it answers a prompt', async () => {
      const gateway = await serve();
      try {
        assert.match(await run(npm, address(gateway), folder(), 'Why is the sky blue?'), /Why is the sky blue\?/);
      } finally {
        await gateway.close();
      }
    });

    test('it runs a loop of three tools', async () => {
      const cwd = folder();
      const gateway = await serve({ script: loop(cwd) });
      try {
        assert.match(await run(npm, address(gateway), cwd, 'Write one.txt, and its double into two.txt.'), /Both files are written\.$/);
        assert.equal(readFileSync(join(cwd, 'one.txt'), 'utf8'), 'one\n');
        assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'one\none\n');
      } finally {
        await gateway.close();
      }
    });
  });
}

// What else the two forms have that agents speak today.
for (const npm of ['@ai-sdk/openai', '@ai-sdk/anthropic']) {
  const address = providers[npm];
  describe(`opencode by ${npm}, the rest`, { skip }, () => {
    test('it shows a picture and a document', async () => {
      const gateway = await serve();
      try {
        const flags = ['--file', write('pixel.png', pixel), '--file', write('report.pdf', '%PDF-1.7\n')];
        const told = await run(npm, address(gateway), folder(), 'What is in these?', { flags, tools: false }); // the fake server calls what a prompt names
        for (const media of ['image/png', 'application/pdf']) assert.match(told, new RegExp(media));
      } finally {
        await gateway.close();
      }
    });

    test('it shows thoughts', async () => {
      const gateway = await serve({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } });
      try {
        const told = await run(npm, address(gateway), folder(), 'Why is the sky blue?', { flags: ['--thinking'] });
        assert.match(told, /The light scatters\.[^]*It scatters\./);
      } finally {
        await gateway.close();
      }
    });

    test('it tells of a model that is not there', async () => {
      const gateway = await serve();
      try {
        const told = await run(npm, address(gateway), folder(), 'Why?', { asked: 'gemmini-9' }).catch((error) => error.stdout + error.stderr);
        assert.match(told, /gemmini-9 is not found/);
      } finally {
        await gateway.close();
      }
    });

    test('it leaves, and the calls of Gemini end', async () => {
      const gateway = await serve({ script: { fixtures: [{ match: { tool: 'bash' }, reply: [{ text: 'Once ' }, { pause: '60s' }, { text: 'upon a time.' }] }, { reply: 'A title' }] } });
      try {
        const leaving = new AbortController();
        const left = assert.rejects(run(npm, address(gateway), folder(), 'slowly', { signal: leaving.signal }));
        await underWay(gateway);
        leaving.abort();
        await left;
        await idle(gateway);
      } finally {
        await gateway.close();
      }
    });
  });
}
