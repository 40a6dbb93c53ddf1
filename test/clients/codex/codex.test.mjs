// codex, OpenAI's agent, which speaks the Responses API alone. It keeps of a response what it knows, and sends back the
// signatures in encrypted_content. The fake server goes on only when they have come back byte for byte.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gemwire, scratch, write } from '../command.mjs';
import { grounded, serve, staysUnderWay, underWay } from '../gateway.mjs';

const program = fileURLToPath(new URL('node_modules/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', import.meta.url));
const skip = existsSync(program) ? false : 'there is no codex for this machine';
const model = 'gemini-3.6-flash';
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
 * @param {{ flags?: string[], asked?: string, signal?: AbortSignal, settings?: string[], name?: string, top?: string[] }} [options] asked is the model,
 *   settings are more lines for the provider, name is its name, and top are more settings
 */
async function run(gateway, cwd, prompt, options) {
  return (await runWhole(gateway, cwd, prompt, options)).stdout.trim();
}

/**
 * Runs a prompt in a folder, and returns both outputs.
 * @param {import('../gateway.mjs').Gateway} gateway
 * @param {string} cwd
 * @param {string} prompt
 * @param {{ flags?: string[], asked?: string, signal?: AbortSignal, settings?: string[], name?: string, top?: string[] }} [options]
 */
async function runWhole(gateway, cwd, prompt, { flags: more = [], asked = model, signal, settings = [], name = 'gemwire', top = [] } = {}) {
  const home = mkdtempSync(join(scratch, 'home-'));
  mkdirSync(join(home, '.codex'));
  const config = [
    `model = "${asked}"`,
    'model_reasoning_summary = "auto"',
    'model_supports_reasoning_summaries = true',
    'web_search = "live"',
    ...top,
    'model_provider = "gemwire"',
    '[model_providers.gemwire]',
    `name = "${name}"`,
    `base_url = "${gateway.openai}"`,
    'env_key = "GEMWIRE_KEY"',
    'wire_api = "responses"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    ...settings,
  ];
  writeFileSync(join(home, '.codex', 'config.toml'), `${config.join('\n')}\n`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, '.codex'), TMPDIR: home, GEMWIRE_KEY: 'any' };
  const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...more];
  const running = exec(program, [...flags, '--', prompt], { cwd, env, timeout: 200_000, killSignal: 'SIGKILL', signal });
  running.child.stdin?.end();
  return running;
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

/** A picture of one pixel. codex looks into it. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

const schema = {
  type: 'object',
  properties: { title: { type: 'string' }, points: { type: 'integer' } },
  required: ['title', 'points'],
  additionalProperties: false,
};

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(gateway: import('../gateway.mjs').Gateway) => Promise<void>} test
 */
async function through(options, test) {
  const gateway = await serve(options);
  try {
    await test(gateway);
  } finally {
    await gateway.close();
  }
}

describe('codex', { skip }, () => {
  test('it shows a picture, and has an answer of a schema', () =>
    through({}, async (gateway) => {
      const cwd = await repository();
      assert.match(await run(gateway, cwd, 'What is in this?', { flags: ['--image', write('pixel.png', pixel)] }), /image\/png/);
      const ticket = JSON.parse(await run(gateway, cwd, 'File a ticket.', { flags: ['--output-schema', write('schema.json', JSON.stringify(schema))] }));
      assert.ok(typeof ticket.title === 'string' && Number.isInteger(ticket.points));
    }));

  test('it tells thoughts, and that the web was searched', () =>
    through({ script: { fixtures: [{ match: { prompt: 'news' }, reply: [{ thought: 'The news first.' }, ...grounded] }] } }, async (gateway) => {
      const events = (await run(gateway, await repository(), 'Any news?', { flags: ['--json'] })).split('\n').map((line) => JSON.parse(line));
      const items = events.flatMap(({ type, item }) => (type === 'item.completed' ? [item] : []));
      assert.match(items.find(({ type }) => type === 'reasoning')?.text ?? '', /The news first\./);
      assert.ok(items.some(({ type }) => type === 'web_search'), JSON.stringify(items));
      assert.equal(items.find(({ type }) => type === 'agent_message')?.text, 'The tower is closed.');
      const place = (/** @type {string} */ wanted) => items.findIndex(({ type }) => type === wanted);
      assert.ok(place('reasoning') < place('agent_message'), 'codex tells items in the order in which they end');
    }));

  test('it tells of a model that is not there, and of a stream that fails', async () => {
    await through({}, async (gateway) =>
      assert.rejects(run(gateway, await repository(), 'Why?', { asked: 'gemmini-9' }), (error) => /gemmini-9 is not found/.test(/** @type {any} */ (error).stderr)));
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    await through({ script }, async (gateway) => assert.rejects(run(gateway, await repository(), 'Why?')));
  });

  test('it leaves, and the call of Gemini ends', () =>
    through({ script: { fixtures: [{ reply: [{ text: 'Once ' }, { pause: '60s' }, { text: 'upon a time.' }] }] } }, async (gateway) => {
      const leaving = new AbortController();
      const left = assert.rejects(run(gateway, await repository(), 'slowly', { signal: leaving.signal }));
      await underWay(gateway);
      leaving.abort();
      await left;
      assert.equal((await gateway.asked(1)).length, 1);
    }));

  test('it answers a prompt', async () => {
    const gateway = await serve({ script: { fixtures: [{ match: { prompt: 'sky' }, reply: 'The light scatters.' }] } });
    try {
      assert.match(await run(gateway, await repository(), 'Why is the sky blue?'), /The light scatters\.$/);
    } finally {
      await gateway.close();
    }
  });

  test('gemwire launch runs it without any settings of its own', async () => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const running = exec(gemwire(), ['launch', '--program', program, 'codex', '--', ...flags, 'Why is the sky blue?'], {
      cwd: await repository(),
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, TMPDIR: home, GEMWIRE_UPSTREAM: 'embedded' },
      timeout: 200_000,
      killSignal: 'SIGKILL',
    });
    running.child.stdin?.end();
    assert.match((await running).stdout, /^You said: <environment_context>/);
  });

  test('it reads the whole catalogue, and does not warn that it lacks the model', async () => {
    const gateway = await serve({ script: { fixtures: [{ match: { prompt: 'sky' }, reply: [{ thought: 'Light.' }, { text: 'It scatters.' }] }] } });
    try {
      const settings = [`model_catalog_url = "${gateway.openai}/models"`, '[features]', 'api_key_model_discovery = true'];
      const { stdout, stderr } = await runWhole(gateway, await repository(), 'Why is the sky blue?', { settings, flags: ['--json'] });
      assert.doesNotMatch(stderr, /metadata|failed to refresh/);
      assert.match(stdout, /It scatters\./);
      const answered = await gateway.answered(2);
      const catalogues = answered.filter((line) => line.startsWith('GET /v1/models'));
      assert.match(catalogues[0] ?? '', /^GET \/v1\/models(\?client_version=0\.169\.0)? 200/, answered.join('\n'));
      assert.equal(catalogues.length, 1, 'the tag in the answer is the tag of the catalogue, so it is not read again');
    } finally {
      await gateway.close();
    }
  });

  const settings = ['supports_websockets = true'];

  test('by WebSocket it runs a loop of three turns, without a request by HTTP', async () => {
    const cwd = await repository();
    const gateway = await serve({ script: loop });
    try {
      assert.match(await run(gateway, cwd, 'Write one.txt, and its double into two.txt.', { settings }), /Both files are written\.$/);
      assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'one\none\n');
      assert.equal((await gateway.asked(4)).length, 4);
      assert.deepEqual(await gateway.answered(0), []);
    } finally {
      await gateway.close();
    }
  });

  test('by WebSocket it leaves, and the call of Gemini ends', () =>
    through({ script: { fixtures: [{ reply: [{ text: 'Once ' }, { pause: '60s' }, { text: 'upon a time.' }] }] } }, async (gateway) => {
      const leaving = new AbortController();
      const left = assert.rejects(run(gateway, await repository(), 'slowly', { signal: leaving.signal, settings }));
      await staysUnderWay(gateway);
      leaving.abort();
      await left;
      assert.equal((await gateway.asked(1)).length, 1);
    }));

  test('without WebSockets at the gateway it uses HTTP at once', () =>
    through({ flags: ['--websocket=false'] }, async (gateway) => {
      assert.match(await run(gateway, await repository(), 'Why?', { settings }), /^You said: /);
    }));

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

  // codex asks for a shortened conversation of a provider with this name only.
  for (const [way, more] of /** @type {[string, string[]][]} */ ([['HTTP', []], ['WebSocket', settings]])) {
    test(`by ${way} it shortens its conversation within a loop, and signatures come back`, async () => {
      const cwd = await repository();
      const summary = { match: { prompt: 'about to be replaced by a summary' }, reply: 'One of two files is written.' };
      const call = (/** @type {string} */ cmd) => ({ call: { name: 'exec_command', args: { cmd } } });
      const steps = [
        { match: { toolResult: 'exec_command', signature: first }, reply: 'Both files are written.' },
        { match: { tool: 'exec_command' }, times: 1, reply: [{ ...call('printf "one\\n" > one.txt'), signature: first }] },
      ];
      const gateway = await serve({ script: { strict: true, fixtures: [summary, ...steps] } });
      try {
        const options = { settings: more, name: 'OpenAI', top: ['model_auto_compact_token_limit = 1000'] };
        assert.match(await run(gateway, cwd, 'Write one.txt.', options), /Both files are written\.$/);
        assert.equal(readFileSync(join(cwd, 'one.txt'), 'utf8'), 'one\n');
        const methods = (await gateway.asked(3)).map((line) => /:(\w+)/.exec(line)?.[1]);
        assert.deepEqual(methods, ['streamGenerateContent', 'generateContent', 'streamGenerateContent'], 'the summary is the second call');
      } finally {
        await gateway.close();
      }
    });
  }
});
