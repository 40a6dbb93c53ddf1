// gemwire serve between a client and a fake server, and a witness between the client and it.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gemwire, start, witness, write } from './command.mjs';

/**
 * A gateway.
 * - url: its address, and openai that for clients of OpenAI's API
 * - answered: waits for the answers that clients were given so far, so many, such as "POST /v1/chat/completions 200"
 * - asked: the same of the fake server, where it is a process of its own, such as "... 200 3ms"
 * - close: stops it, and fails when an answer was not as OpenAI's description has it
 * @typedef {{ url: string, openai: string, answered: Lines, asked: Lines, close: () => Promise<void> }} Gateway
 * @typedef {(count: number) => Promise<string[]>} Lines
 */

/**
 * Starts a gateway. The fake server that is built in answers; with a script or a key one behind it does, which knows no
 * other key.
 * @param {{ flags?: string[], script?: object | string, key?: string }} [options]
 * @returns {Promise<Gateway>}
 */
export async function serve({ flags = [], script, key } = {}) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }; // without the keys of who runs the tests
  const behind = script || key ? await emulate({ script, key }) : undefined;
  const upstream = behind ? ['--upstream', 'gemini', '--base-url', behind.url] : [];
  const keyed = behind ? { ...env, GEMINI_API_KEY: key ?? 'any' } : env;
  const gateway = await start(gemwire(), ['serve', '--addr', '127.0.0.1:0', ...upstream, ...flags], keyed);
  const front = await start(witness(), [gateway.url], env);
  return {
    url: front.url,
    openai: `${front.url}/v1`,
    answered: (count) => requests(front.lines, count),
    asked: (count) => requests(behind?.lines ?? [], count),
    async close() {
      const isRight = (await front.close()) === 0;
      await gateway.close();
      await behind?.close();
      assert.ok(isRight, front.lines.filter((line) => !/^[A-Z]+ /.test(line)).join('\n'));
    },
  };
}

/** What a script answers with that searched the web: the text, and its source. */
export const grounded = [
  { text: 'The tower is closed.' },
  {
    grounding: {
      webSearchQueries: ['tower news'],
      groundingChunks: [{ web: { uri: 'https://news.example/tower', title: 'Tower' } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 20, text: 'The tower is closed.' }, groundingChunkIndices: [0] }],
    },
  },
];

/**
 * Waits until the gateway is answering a request, which programs that print at their end alone do not tell.
 * @param {Gateway} gateway
 */
export const underWay = (gateway) => waitForRequests(gateway, true);

/**
 * Waits until the gateway has been answering a request for half a second. A warm-up, which calls no
 * model, ends sooner.
 * @param {Gateway} gateway
 */
export async function staysUnderWay({ url }) {
  for (let i = 0, seen = 0; i < 600; i++) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    seen = /^gemwire_requests_in_flight(\{[^}]*\})? [1-9]/m.test(metrics) ? seen + 1 : 0;
    if (seen === 10) return;
    await sleep(50);
  }
  assert.fail('no request stays');
}

/**
 * Waits until the gateway answers no request any more.
 * @param {Gateway} gateway
 */
export const idle = (gateway) => waitForRequests(gateway, false);

/** @param {Gateway} gateway @param {boolean} some */
async function waitForRequests({ url }, some) {
  for (let i = 0; i < 600; i++) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^gemwire_requests_in_flight(\{[^}]*\})? [1-9]/m.test(metrics) === some) return;
    await sleep(50);
  }
  assert.fail(some ? 'no request came' : 'a request goes on');
}

/** @param {{ script?: object | string, key?: string }} options */
function emulate({ script, key }) {
  const flags = ['emulate', '--addr', '127.0.0.1:0', '--verbose'];
  if (key) flags.push('--key', key);
  if (script) flags.push('--script', write('script.yaml', typeof script === 'string' ? script : JSON.stringify(script)));
  return start(gemwire(), flags);
}

/**
 * Returns the lines that tell of requests, when there are so many.
 * @param {string[]} lines
 * @param {number} count
 */
async function requests(lines, count) {
  for (let i = 0; ; i++) {
    const told = lines.map((line) => line.replace(/^gemwire: /, '')).filter((line) => /^(GET|POST) /.test(line));
    if (told.length >= count || i >= 500) {
      assert.equal(told.length, count, told.join('\n'));
      return told;
    }
    await sleep(20);
  }
}
