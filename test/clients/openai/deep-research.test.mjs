// npm openai: an agent of Google's Interactions API, which only works in the background.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { serve } from '../gateway.mjs';

/** @typedef {import('openai/resources/responses/responses').Response} Response */
/** @typedef {import('openai/resources/responses/responses').ResponseStreamEvent} Event */
/** @typedef {import('../gateway.mjs').Gateway} Gateway */

const model = 'deep-research-preview-04-2026';
const report = 'Porto is older than Portugal. It gave the country its name.';
const script = {
  fixtures: [
    { match: { prompt: 'slowly' }, reply: [{ pause: '60s' }, { text: 'At last.' }] },
    { reply: [{ thought: 'First the Romans.' }, { text: report.split(/(?<= )/) }] },
  ],
};

/** @type {Gateway} */
let gateway;
/** @type {OpenAI} */
let openai;
before(async () => {
  gateway = await serve({ script, flags: ['--store', 'memory'] });
  openai = new OpenAI({ baseURL: gateway.openai, apiKey: 'any', maxRetries: 0 });
});
after(() => gateway.close());

/** @param {Response} response */
const isRunning = ({ status }) => status === 'queued' || status === 'in_progress';

/**
 * Waits until a response ends, as programs do.
 * @param {Response} response
 */
async function ended(response) {
  for (let i = 0; isRunning(response); i++) {
    assert.ok(i < 500, 'the response does not end');
    await sleep(20);
    response = await openai.responses.retrieve(response.id);
  }
  return response;
}

/**
 * Reads a stream to its end.
 * @param {AsyncIterable<Event>} stream
 */
async function read(stream) {
  const got = { text: '', events: /** @type {Event[]} */ ([]) };
  for await (const event of stream) {
    got.events.push(event);
    if (event.type === 'response.output_text.delta') got.text += event.delta;
  }
  return got;
}

/** @param {Event | undefined} event */
function completed(event) {
  assert.ok(event?.type === 'response.completed', event?.type);
  return event.response;
}

describe('openai: deep research', () => {
  test('a response in the background is created and polled', async () => {
    const begun = await openai.responses.create({ model, input: 'The history of Porto', background: true });
    assert.ok(isRunning(begun), begun.status);
    assert.equal(begun.background, true);
    assert.equal(begun.output_text, '');
    const response = await ended(begun);
    assert.equal(response.status, 'completed');
    assert.equal(response.model, model);
    assert.equal(response.output_text, report);
    assert.ok(response.usage && response.usage.output_tokens > 0);
    assert.equal(response.usage.input_tokens + response.usage.output_tokens, response.usage.total_tokens);
    await openai.responses.delete(begun.id);
  });

  test('a response in the background is streamed, and goes on after an event', async () => {
    const { text, events } = await read(await openai.responses.create({ model, input: 'The history of Porto', background: true, stream: true }));
    assert.equal(text, report);
    const { id, status } = completed(events.at(-1));
    assert.equal(status, 'completed');
    const middle = events.findIndex(({ type }) => type === 'response.output_text.delta');
    const rest = await read(await openai.responses.retrieve(id, { stream: true, starting_after: events[middle].sequence_number }));
    assert.deepEqual(rest.events, events.slice(middle + 1));
  });

  test('a response in the background is cancelled', async () => {
    const { id } = await openai.responses.create({ model, input: 'The history of Porto, slowly', background: true });
    assert.equal((await openai.responses.cancel(id)).status, 'cancelled');
    assert.equal((await openai.responses.retrieve(id)).status, 'cancelled');
  });

  test('the agent answers a next response', async () => {
    const first = await ended(await openai.responses.create({ model, input: 'The history of Porto', background: true }));
    const next = await ended(await openai.responses.create({ model, input: 'And of Lima?', background: true, previous_response_id: first.id }));
    assert.equal(next.status, 'completed');
    assert.equal(next.previous_response_id, first.id);
  });

  test('the fake server was asked for interactions alone', async () => {
    const own = await serve({ script, flags: ['--store', 'memory'] });
    try {
      const client = new OpenAI({ baseURL: own.openai, apiKey: 'any', maxRetries: 0 });
      await read(await client.responses.create({ model, input: 'The history of Porto', background: true, stream: true }));
      assert.match((await own.asked(1))[0], /^POST \/v1beta\/interactions 200/);
    } finally {
      await own.close();
    }
  });
});
