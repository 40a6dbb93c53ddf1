// npm openai: the Responses API by its class for WebSockets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { gemwire, start } from '../command.mjs';
import { serve } from '../gateway.mjs';
import { booked, loop, slow, table, weather } from './conversation.mjs';

/** @typedef {import('openai/resources/responses/responses').Response} Response */
/** @typedef {import('openai/resources/responses/responses').ResponsesServerEvent} Event */

const model = 'gemini-3.6-flash';
const tools = [weather, table].map(({ function: f }) => ({ type: /** @type {const} */ ('function'), strict: false, ...f }));

/**
 * A connection that collects the events of turns.
 * @param {string} baseURL
 */
function connect(baseURL, options = {}) {
  const socket = new ResponsesWS(new OpenAI({ baseURL, apiKey: 'any' }), options);
  /** @type {Event[]} */
  const events = [];
  socket.on('event', (event) => events.push(event));
  socket.on('error', () => {});
  return {
    socket,
    events,
    /**
     * Sends a request and returns its response.
     * @param {object} request
     * @returns {Promise<Response>}
     */
    async create(request) {
      const end = new Promise((resolve, reject) => {
        socket.once('response.completed', (event) => resolve(event.response));
        socket.once('error', reject);
      });
      socket.send(/** @type {any} */ ({ type: 'response.create', model, ...request }));
      return /** @type {Promise<Response>} */ (end);
    },
    /** Closes the connection, and waits for that. */
    async close() {
      const closed = once(/** @type {any} */ (socket.socket), 'close');
      socket.close();
      await closed;
    },
  };
}

/** @param {Response} response */
const callsOf = (response) => response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));

/** @param {Response} response */
const textOf = (response) =>
  response.output.flatMap((item) => (item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])) : [])).join('');

describe('openai by WebSocket', () => {
  test('answers come in their order, with all events', async () => {
    const gateway = await serve();
    const client = connect(gateway.openai);
    for (const input of ['one', 'two']) {
      const response = await client.create({ input });
      assert.equal(textOf(response), `You said: ${input}`);
    }
    assert.equal(client.events[0].type, 'response.created');
    assert.equal(client.events.at(-1)?.type, 'response.completed');
    await client.close();
    await gateway.close();
  });

  test('a loop of three turns with parallel calls sends only what is new, without a store', async () => {
    const gateway = await serve({ script: loop() });
    const client = connect(gateway.openai);
    let response = await client.create({ input: 'Book a table where it is warm.', tools, store: false });
    for (let turn = 1; turn < 4; turn++) {
      const input = callsOf(response).map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '{"degrees":21}' }));
      assert.equal(input.length, turn === 1 ? 2 : 1);
      response = await client.create({ input, tools, store: false, previous_response_id: response.id });
    }
    assert.equal(textOf(response), booked);
    await client.close();
    await gateway.close();
  });

  test('a client that leaves ends the request', async () => {
    const gateway = await serve({ script: slow() });
    const client = connect(gateway.openai);
    client.socket.send({ type: 'response.create', model, input: 'Tell me slowly' });
    await new Promise((resolve) => client.socket.once('response.output_text.delta', resolve));
    await client.close();
    await gateway.close(); // which waits for requests in flight
  });

  test('errors of a request leave the connection open', async () => {
    const gateway = await serve();
    const client = connect(gateway.openai);
    await assert.rejects(client.create({ input: 'x', previous_response_id: 'resp_before' }), /previous_response|does not exist/);
    assert.equal(textOf(await client.create({ input: 'again' })), 'You said: again');
    await client.close();
    await gateway.close();
  });

  test('the client connects again to a gateway that was restarted', async () => {
    const first = await start(gemwire(), ['serve', '--addr', '127.0.0.1:0'], { PATH: process.env.PATH, HOME: process.env.HOME });
    const { host } = new URL(first.url);
    const client = connect(`${first.url}/v1`, { reconnect: { onReconnecting: () => {}, initialDelay: 50 } });
    assert.equal(textOf(await client.create({ input: 'one' })), 'You said: one');
    const again = once(/** @type {any} */ (client.socket.socket), 'close');
    assert.equal(await first.close(), 0);
    const [code] = await again;
    assert.equal(code, 1001);
    const second = await start(gemwire(), ['serve', '--addr', host], { PATH: process.env.PATH, HOME: process.env.HOME });
    assert.equal(textOf(await client.create({ input: 'two' })), 'You said: two');
    await client.close();
    await second.close();
  });
});
