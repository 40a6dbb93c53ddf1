import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { judge, responsesOf, streamed } from './openai.mjs';
import { checkParts } from './parts.mjs';
import { startServer } from './server.mjs';
import { parseParts, run } from './streamtext.mjs';
import { typecheck } from './typecheck.mjs';
import { checkEach, convertedStreams, read, report } from './work.mjs';

/** @typedef {import('./work.mjs').Plain} Plain */
/** @typedef {import('./streamtext.mjs').Outcome} Outcome */

/** How many of the converted streams the compiler reads; all would take it a minute. */
const typechecked = 80;

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
before(async () => {
  server = await startServer();
});
after(() => server.close());

for (const form of ['openai', 'openai-plain']) {
  const { skip, entries } = convertedStreams(form);
  test(`ChatCompletionStream accepts the converted streams: ${form}`, { skip }, async () => {
    const failing = entries.filter(({ plain }) => plain.failure);
    const complete = entries.filter(({ plain }) => !plain.failure);
    await checkEach(complete, async ({ stream, whole }) => {
      const { verdict, why } = await judge(server.play({ stream: read(stream), completion: read(whole) }));
      assert.equal(verdict, 'accepts', why);
    });
    await checkEach(failing, async ({ stream }) => {
      await assert.rejects(streamed(server.play({ stream: read(stream) })));
    });
    report(`${form}: ChatCompletionStream read ${complete.length} streams, ${failing.length} more with an error in them`);
  });
}

const made = convertedStreams('responses');

test('CL1: responses.stream() accepts the converted streams, and ends in the whole response', { skip: made.skip }, async () => {
  const failing = made.entries.filter(({ plain }) => plain.failure);
  const complete = made.entries.filter(({ plain }) => !plain.failure);
  await checkEach(complete, async ({ stream, whole }) => {
    const { streamed, parsed } = responsesOf(server.play({ stream: read(stream), completion: read(whole) }));
    assert.deepEqual(await streamed(), await parsed());
  });
  await checkEach(failing, async ({ stream }) => {
    if (stream === '') return; // the command wrote nothing
    await assert.rejects(responsesOf(server.play({ stream: read(stream) })).streamed());
  });
  report(`responses: responses.stream() read ${complete.length} streams, ${failing.length} more with an error in them`);
});

const { skip, entries } = convertedStreams('aisdk');

test('streamText accepts the converted streams', { skip }, async () => {
  await checkEach(entries, async ({ plain, stream, whole }) => {
    if (plain.failure && stream === '') return; // the command wrote nothing
    const parts = parseParts(read(stream));
    assert.deepEqual(checkParts(parts), []);
    if (plain.failure) {
      await assert.rejects(run(parts, toolNames(plain)));
      return;
    }
    const got = await run(parts, toolNames(plain));
    const completion = JSON.parse(read(whole));
    assert.deepEqual(withoutMadeUp(got, plain), expected(plain, completion, got));
  });
  report(`aisdk: streamText read ${entries.length} streams`);
});

test('the compiler accepts the converted streams', { skip }, () => {
  const every = Math.ceil(entries.length / typechecked);
  const sample = entries.filter(({ name, stream }, i) => stream !== '' && (i % every === 0 || name.startsWith('stream-')));
  assert.deepEqual(typecheck(new Map(sample.map(({ name, stream }) => [name, parseParts(read(stream))]))), new Map());
  report(`aisdk: the compiler read ${sample.length} streams`);
});

/**
 * The calls of the first candidate that the program has to answer.
 * @param {Plain} plain
 */
function openCalls(plain) {
  return plain.candidates?.[0]?.calls.filter(({ answered }) => !answered) ?? [];
}

/**
 * The tools that the program has. It does not know those that only the server calls.
 * @param {Plain} plain
 */
function toolNames(plain) {
  return openCalls(plain).map(({ name }) => name);
}

/**
 * The outcome without the ids that the converters made: those are random.
 * @param {Outcome} outcome
 * @param {Plain} plain
 * @returns {Outcome}
 */
function withoutMadeUp(outcome, plain) {
  const calls = openCalls(plain);
  return { ...outcome, calls: outcome.calls.map((call, i) => ({ ...call, id: calls[i]?.id ? call.id : '' })) };
}

/**
 * What the first candidate of a stream is to become: its content as the plain reading has it, and the
 * rest as the whole completion has it. A completion cites some of the sources of an answer only, so
 * all of those have to be there.
 * @param {Plain} plain
 * @param {any} completion
 * @param {Outcome} got
 * @returns {Outcome}
 */
function expected({ candidates, blocked }, { choices, usage }, got) {
  const { text = '', thoughts = '', calls = [], media = [] } = candidates?.[0] ?? {};
  const [{ message, finish_reason: finish, native_finish_reason: native }] = choices;
  const cited = (message.annotations ?? []).map((/** @type {any} */ { url_citation }) => url_citation.url);
  return {
    text,
    reasoning: thoughts,
    calls: calls
      .map(({ id, name, answered }, i) => ({ id, name, answered, input: JSON.parse(message.tool_calls[i].function.arguments) }))
      .filter(({ answered }) => !answered)
      .map(({ id, name, input }) => ({ id, name, input })),
    files: media,
    sources: cited.every((/** @type {string} */ url) => got.sources.includes(url)) ? got.sources : cited,
    finish: { unified: isAnswered(calls) ? 'stop' : unified(finish, native, got), raw: blocked && !candidates ? blocked : native },
    usage: {
      input: usage?.prompt_tokens ?? 0,
      cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
      output: usage?.completion_tokens ?? 0,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      total: usage?.total_tokens ?? 0,
    },
  };
}

/**
 * Whether there are calls and all have their results, which a completion does not know.
 * @param {import('./work.mjs').PlainCall[]} calls
 */
function isAnswered(calls) {
  return calls.length > 0 && calls.every(({ answered }) => answered);
}

/**
 * The AI SDK's name for an OpenAI finish reason. A stop that is not Gemini's STOP is one of two reasons
 * that OpenAI does not have.
 * @param {string} finish
 * @param {string | undefined} native
 * @param {Outcome} got
 */
function unified(finish, native, got) {
  if (finish !== 'stop' || native === 'STOP') return finish.replace('_', '-');
  return ['error', 'other'].includes(got.finish.unified) ? got.finish.unified : 'error or other';
}
