// What the command makes of an agent's events, read by the AI SDK. The inputs come in pieces, as they do
// from an agent that is running.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { checkParts } from './parts.mjs';
import { parseParts, run, StreamFailed } from './streamtext.mjs';
import { typecheck } from './typecheck.mjs';
import { report } from './work.mjs';

/** @typedef {import('./parts.mjs').Part} Part */

/**
 * An input in its pieces, with what a program gets out of it.
 * @typedef {object} Case
 * @property {string} name
 * @property {Iterable<string | Uint8Array>} pieces
 * @property {string} [text]
 * @property {{ id: string, name: string, input: unknown }[]} [calls]
 * @property {string} [finish] the unified reason, stop by default
 * @property {string} [error] the message of the failure
 */

/** @type {(content: string) => object} */
const delta = (content) => ({ type: 'message', role: 'assistant', content, delta: true });
/** @type {(content: string) => object} */
const message = (content) => ({ type: 'message', role: 'assistant', content });
const init = { type: 'init', session_id: 's1', modelId: 'gemini-model' };
const sandbox = { type: 'sandbox', sandbox_id: 'sbx-1' };
const snapshot = { type: 'snapshot_request', requestId: 'req-1', instruction: 'Fill the form', document: { forms: [{ id: 1 }] } };
const execute = { type: 'execute_request', requestId: 'req-2', fields: [{ name: 'user' }], actions: [{ action: 'fill', value: '<me> & "you"' }] };
const session = { type: 'relay.session', sessionId: 'r1', token: 'not-a-secret', relayUrl: 'https://relay.example' };

/** @param {object[]} events */
const lines = (...events) => events.map((event) => `${JSON.stringify(event)}\n`);

const many = 'Größe: 日本 😀';

/** @type {Case[]} */
const cases = [
  { name: 'nothing', pieces: [], error: 'nothing in the input is an event of an agent' },
  {
    name: 'text',
    pieces: lines(init, sandbox, { type: 'message', role: 'user', content: 'Say hello.' }, delta('Hello '), delta('world!'), message(' Done.')),
    text: 'Hello world! Done.',
  },
  {
    name: 'tool use and result',
    pieces: lines(
      init,
      delta('Reading. '),
      { type: 'tool_use', tool_id: 't1', tool_name: 'read_file', parameters: { path: 'plan.md' } },
      { type: 'tool_result', tool_id: 't1', status: 'success', output: message('not said') },
      delta('Read.'),
    ),
    text: 'Reading. Read.',
  },
  {
    name: 'a snapshot request, and what comes behind it',
    pieces: lines(init, session, delta('Filling.'), snapshot, delta('next turn'), execute, message('the turn after')),
    text: 'Filling.',
    calls: [{ id: 'req-1', name: 'getFormSnapshot', input: { instruction: 'Fill the form', document: { forms: [{ id: 1 }] } } }],
    finish: 'tool-calls',
  },
  {
    name: 'an execute request without arguments',
    pieces: lines({ type: 'execute_request', requestId: 'req-3' }),
    calls: [{ id: 'req-3', name: 'executeFormActions', input: {} }],
    finish: 'tool-calls',
  },
  {
    name: 'an execute request',
    pieces: lines(execute),
    calls: [{ id: 'req-2', name: 'executeFormActions', input: { actions: execute.actions, fields: execute.fields } }],
    finish: 'tool-calls',
  },
  {
    name: 'error output and an event that nobody knows',
    pieces: lines(delta('Still '), { type: 'stderr', content: 'oh no' }, { type: 'error', message: 'quota' }, delta('here.')),
    text: 'Still here.',
  },
  {
    name: 'text between events',
    pieces: [
      'SyntaxError: Unexpected token "{" in "config.json"\n',
      ...lines(delta('One, ')),
      'npm ERR! unexpected token { in JSON, 5" }\n\\',
      ...lines(delta('two, ')),
      '{"type":"message","role":"assistant","content":"cut\n',
      ...lines(delta('three.')),
    ],
    text: 'One, two, three.',
  },
  {
    name: 'an end within an event',
    pieces: [...lines(delta('One, ')), '{"type":"mess'],
    error: 'the input ends within an event',
  },
  {
    name: 'every byte alone',
    pieces: [...Buffer.from(lines(delta(many), snapshot).join(''))].map((byte) => Uint8Array.of(byte)),
    text: many,
    calls: [{ id: 'req-1', name: 'getFormSnapshot', input: { instruction: 'Fill the form', document: { forms: [{ id: 1 }] } } }],
    finish: 'tool-calls',
  },
  {
    name: 'an event that is too large',
    pieces: [...lines(delta('Before.')), '{"type":"message","content":"', ...Array(65).fill(Buffer.alloc(1 << 20, 'x'))],
    error: 'is larger than 67108864 bytes',
  },
];

const command = process.env.GEMWIRE_COMMAND;
const skip = command ? false : 'GEMWIRE_COMMAND names no command; ../run.sh builds one';

/**
 * Converts an input. Every piece has time to be read before the next one is written.
 * @param {Case} input
 */
async function convert({ pieces }) {
  const child = spawn(String(command), ['convert', '--quiet', '--from', 'agent-ndjson', '--to', 'aisdk-stream']);
  const output = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray());
  const closed = once(child, 'close');
  child.stdin.on('error', () => {}); // the command may fail before it has read everything
  for (const piece of pieces) {
    child.stdin.write(piece);
    await setTimeout(1);
  }
  child.stdin.end();
  const [stdout, stderr] = (await Promise.all(output)).map((texts) => texts.join(''));
  const [code] = await closed;
  return { parts: parseParts(stdout), stderr, code };
}

describe('converted events of an agent', { skip }, () => {
  /** @type {Map<string, Awaited<ReturnType<typeof convert>>>} */
  const converted = new Map();
  before(async () => {
    for (const input of cases) converted.set(input.name, await convert(input));
  });

  /** @param {Case} input */
  const of = ({ name }) => converted.get(name) ?? assert.fail(name);

  for (const input of cases) {
    test(`${input.name}: one stream that keeps the rules`, () => {
      const { parts, stderr, code } = of(input);
      assert.equal(code, input.error ? 1 : 0, stderr);
      assert.match(stderr, input.error ? new RegExp(input.error) : /^$/);
      assert.deepEqual(parts.flatMap(({ type }, i) => (type === 'finish' ? [i] : [])), [parts.length - 1]);
      // Events tell no warnings, so there is no part for them; streamText does without.
      assert.deepEqual(checkParts(parts).filter(({ rule }) => rule !== 'start'), []);
    });

    test(`${input.name}: streamText gets what the agent said`, async () => {
      const { parts } = of(input);
      const calls = input.calls ?? [];
      const result = run(parts, calls.map(({ name }) => name));
      if (input.error) {
        await assert.rejects(result, (failure) => failure instanceof StreamFailed && failure.message.includes(String(input.error)));
        return;
      }
      assert.deepEqual(await result, {
        text: input.text ?? '',
        reasoning: '',
        calls,
        files: [],
        sources: [],
        finish: { unified: input.finish ?? 'stop', raw: undefined },
        usage: { input: 0, cached: 0, output: 0, reasoning: 0, total: 0 },
      });
    });
  }

  test('the compiler accepts them', () => {
    assert.deepEqual(typecheck(new Map([...converted].map(([name, { parts }]) => [name, parts]))), new Map());
    report(`agent-ndjson: streamText and the compiler read ${converted.size} streams`);
  });
});
