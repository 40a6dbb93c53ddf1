// A server of OpenAI's chat_completions, as npm openai has its contract: it refuses what OpenAI refuses, wants a result for
// each call right behind it, and tells tokens in streams only to who asks.

import { createServer } from 'node:http';
import { gemwire, start, write } from '../command.mjs';

/** @typedef {{ role: string, content?: unknown, tool_calls?: { id: string }[], tool_call_id?: string }} Message */
/** @typedef {{ name: string, args: object }} Call */
/** @typedef {{ model: string, messages: Message[], tools?: { function: { name: string } }[], stream?: boolean, stream_options?: object, response_format?: object, reasoning_effort?: string }} Body */

const key = 'sk-chat';
const known = new Set(
  'model messages tools tool_choice stream stream_options response_format reasoning_effort max_completion_tokens n stop seed temperature top_p'.split(' '),
);
const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, completion_tokens_details: { reasoning_tokens: 5 } };
const head = { id: 'chatcmpl-1', created: 1700000000 };

/**
 * Starts the server, and a gateway in front of it.
 * - url: the address of the gateway
 * - requests: what the server was asked
 * - left: is true when a client has left a stream that never ends
 * @param {{ flags?: string[], script?: (Call | string)[] }} [options] flags of the gateway, and what the model says after so many
 *   results, in place of asking for two cities twice
 * @returns {Promise<{ url: string, requests: Body[], left: () => boolean, close: () => Promise<void> }>}
 */
export async function chat({ flags = [], script } = {}) {
  /** @type {Body[]} */
  const requests = [];
  let left = false;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (request.headers.authorization !== `Bearer ${key}` || request.url?.includes('?')) return refuse(response, 401, 'Incorrect API key provided');
    if (request.url !== '/v1/chat/completions') return refuse(response, 404, 'no such path');
    /** @type {Body} */
    const body = JSON.parse(text);
    const wrong = check(body);
    if (wrong) return refuse(response, 400, wrong);
    requests.push(body);
    const asked = JSON.stringify(body.messages.filter(({ role }) => role === 'user').at(-1)?.content);
    if (asked.includes('limit')) return refuse(response, 429, 'Slow down');
    if (asked.includes('refuse')) return refuse(response, 400, 'That is not for this model');
    if (asked.includes('forever')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      event(response, body, { content: 'Once' }, null);
      response.on('close', () => (left = true));
      return;
    }
    const said = sayings(body, script);
    if (body.stream) stream(response, body, said);
    else answer(response, body, said);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const gateway = await start(
    gemwire(),
    ['serve', '--addr', '127.0.0.1:0', '--upstream', 'openai', '--base-url', `http://127.0.0.1:${port}/v1`, '--api-key-file', write('key', key), ...flags],
    { PATH: process.env.PATH, HOME: process.env.HOME },
  );
  return {
    url: gateway.url,
    requests,
    left: () => left,
    async close() {
      await gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {string} message */
function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '2' });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }));
}

/** @param {Body} body */
function check(body) {
  for (const name of Object.keys(body)) if (!known.has(name)) return `Unrecognized request argument supplied: ${name}`;
  const open = new Set();
  for (const message of body.messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `no call waits for ${message.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return 'results are missing';
    for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  return open.size > 0 ? 'results are missing' : '';
}

/** @param {Body} body */
const results = (body) => body.messages.filter(({ role }) => role === 'tool').length;

/**
 * What the model says: calls, or a text.
 * @param {Body} body
 * @param {(Call | string)[]} [script]
 * @returns {{ calls: { id: string, type: string, function: { name: string, arguments: string } }[], text: string }}
 */
function sayings(body, script) {
  const count = results(body);
  const scripted = script?.[count] ?? '';
  /** @type {Call[]} */
  let calls = [];
  if (script && typeof scripted !== 'string') calls = [scripted];
  else if (!script && body.tools && count < 4) calls = ['Porto', 'Lima'].map((city) => ({ name: body.tools?.[0].function.name ?? '', args: { city } }));
  return {
    calls: calls.map(({ name, args }, i) => ({ id: `call_${count}_${i}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })),
    text: typeof scripted === 'string' && scripted ? scripted : textOf(body),
  };
}

/** @param {Body} body */
function textOf(body) {
  if (body.response_format) return '{"city":"Porto"}';
  return results(body) > 0 ? `There are ${results(body)} results.` : 'The sky is blue, since 空 scatters light 😀.';
}

/** @typedef {ReturnType<typeof sayings>} Said */

/** @param {import('node:http').ServerResponse} response @param {Body} body @param {Said} said */
function answer(response, body, { calls, text }) {
  const message = {
    role: 'assistant',
    refusal: null,
    content: calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(body.reasoning_effort ? { reasoning_content: 'Let me think.' } : {}),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...head, object: 'chat.completion', model: body.model, choices: [choice], usage }));
}

/** @param {import('node:http').ServerResponse} response @param {Body} body @param {object} delta @param {string | null} reason */
function event(response, body, delta, reason) {
  const chunk = { ...head, object: 'chat.completion.chunk', model: body.model, choices: [{ index: 0, delta, finish_reason: reason }] };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** @param {import('node:http').ServerResponse} response @param {Body} body @param {Said} said */
function stream(response, body, { calls, text }) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event(response, body, { role: 'assistant', content: '' }, null);
  if (body.reasoning_effort) event(response, body, { reasoning_content: 'Let me think.' }, null);
  for (const [index, { function: made, ...rest }] of calls.entries()) {
    event(response, body, { tool_calls: [{ index, ...rest, function: { name: made.name, arguments: '' } }] }, null);
    for (const piece of made.arguments.match(/.{1,5}/g) ?? []) event(response, body, { tool_calls: [{ index, function: { arguments: piece } }] }, null);
  }
  if (calls.length === 0) for (const word of text.split(/(?<= )/)) event(response, body, { content: word }, null);
  event(response, body, {}, calls.length > 0 ? 'tool_calls' : 'stop');
  if (body.stream_options) {
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', model: body.model, choices: [], usage })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}
