// A server that plays a script of the fake server in other forms: chat_completions, Responses and Messages, as streams. It
// is what an agent calls without a gateway, and what the gateway calls on the way back. It knows of scripts what faults.mjs
// uses, and no signatures. Where a form has no such end, the nearest one: a malformed call has arguments cut short.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./faults.mjs').Block} Block */
/** @typedef {{ name: string, arguments: string, id: string }} Call */
/**
 * How a form writes an answer: a text in pieces, a call, the end, an error in the stream and in place of it.
 * @typedef {{ begin: () => string, text: (piece: string, index: number) => string, call: (call: Call) => string,
 *   end: (called: boolean) => string, failed: (message: string) => string, error: (status: number, message: string) => object }} Form
 */

const statuses = /** @type {Record<string, number>} */ ({ rateLimited: 429, unavailable: 503, internal: 500, error: 400 });
const script = JSON.parse(readFileSync(process.argv[3], 'utf8'));
const [first, then, wrong, title] = script.fixtures;
const { tool } = first.match;
let used = 0;

/** @param {unknown} value */
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
/** @param {{ type: string }} value */
const event = (value) => `event: ${value.type}\n${data(value)}`;

/** @returns {Form} */
function chat() {
  /** @param {object} delta @param {string | null} [finish_reason] */
  const chunk = (delta, finish_reason = null) =>
    data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1700000000, model: 'm', choices: [{ index: 0, delta, finish_reason }] });
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    text: (content) => chunk({ content }),
    call: ({ id, ...made }) => chunk({ tool_calls: [{ index: 0, id, type: 'function', function: made }] }),
    end: (called) => `${chunk({}, called ? 'tool_calls' : 'stop')}data: [DONE]\n\n`,
    failed: (message) => data({ error: { message, type: 'server_error', param: null, code: null } }),
    error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit_error' : 'server_error', param: null, code: null } }),
  };
}

/** @returns {Form} */
function responses() {
  /** @type {object[]} */
  const output = [];
  const response = { id: `resp_${used}`, object: 'response', created_at: 1700000000, model: 'm' };
  const item = { id: `msg_${used}`, type: 'message', role: 'assistant' };
  let said = '';
  const done = () => {
    if (said === '') return '';
    const part = { type: 'output_text', text: said, annotations: [] };
    output.push({ ...item, status: 'completed', content: [part] });
    return (
      event({ type: 'response.output_text.done', ...{ item_id: item.id, output_index: 0, content_index: 0, text: said } }) +
      event({ type: 'response.content_part.done', ...{ item_id: item.id, output_index: 0, content_index: 0, part } }) +
      event({ type: 'response.output_item.done', ...{ output_index: 0, item: output[0] } })
    );
  };
  return {
    begin: () => event({ type: 'response.created', ...{ response: { ...response, status: 'in_progress', output } } }),
    text(delta, index) {
      said += delta;
      const at = { item_id: item.id, output_index: 0, content_index: 0 };
      const opened =
        event({ type: 'response.output_item.added', ...{ output_index: 0, item: { ...item, status: 'in_progress', content: [] } } }) +
        event({ type: 'response.content_part.added', ...at, ...{ part: { type: 'output_text', text: '', annotations: [] } } });
      return (index === 0 ? opened : '') + event({ type: 'response.output_text.delta', ...at, ...{ delta } });
    },
    call({ id, ...made }) {
      const call = { id: `fc_${id}`, type: 'function_call', call_id: id, ...made };
      output.push({ ...call, status: 'completed' });
      const at = { item_id: call.id, output_index: 0 };
      return (
        event({ type: 'response.output_item.added', ...{ output_index: 0, item: { ...call, arguments: '', status: 'in_progress' } } }) +
        event({ type: 'response.function_call_arguments.delta', ...at, ...{ delta: made.arguments } }) +
        event({ type: 'response.function_call_arguments.done', ...at, ...{ arguments: made.arguments } }) +
        event({ type: 'response.output_item.done', ...{ output_index: 0, item: output[0] } })
      );
    },
    end() {
      const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
      const closing = done();
      return closing + event({ type: 'response.completed', ...{ response: { ...response, status: 'completed', output, usage } } });
    },
    failed: (message) => event({ type: 'response.failed', ...{ response: { ...response, status: 'failed', output, error: { code: 'server_error', message } } } }),
    error: (status, message) => ({ error: { message, type: status === 429 ? 'rate_limit_error' : 'server_error', param: null, code: null } }),
  };
}

/** @returns {Form} */
function messages() {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: `msg_${used}`, type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage };
  let open = false;
  /** @param {object} content_block */
  const opened = (content_block) => {
    open = true;
    return event({ type: 'content_block_start', ...{ index: 0, content_block } });
  };
  /** @param {object} delta */
  const delta = (delta) => event({ type: 'content_block_delta', ...{ index: 0, delta } });
  return {
    begin: () => event({ type: 'message_start', ...{ message } }),
    text: (text, index) => (index === 0 ? opened({ type: 'text', text: '' }) : '') + delta({ type: 'text_delta', text }),
    call: ({ id, name, arguments: partial_json }) => opened({ type: 'tool_use', id, name, input: {} }) + delta({ type: 'input_json_delta', partial_json }),
    end: (called) =>
      (open ? event({ type: 'content_block_stop', ...{ index: 0 } }) : '') +
      event({ type: 'message_delta', ...{ delta: { stop_reason: called ? 'tool_use' : 'end_turn', stop_sequence: null }, usage } }) +
      event({ type: 'message_stop' }),
    failed: (text) => event({ type: 'error', ...{ error: { type: 'overloaded_error', message: text } } }),
    error: (status, text) => ({ type: 'error', error: { type: status === 429 ? 'rate_limit_error' : status === 503 ? 'overloaded_error' : 'api_error', message: text } }),
  };
}

/** @type {Record<string, () => Form>} */
const forms = { '/v1/chat/completions': chat, '/v1/responses': responses, '/v1/messages': messages };

/** The reply to a request, which begins the task, is in its middle, or is about something else. @param {any} body */
function replyTo(body) {
  if (!JSON.stringify(body.tools ?? []).includes(`"${tool}"`)) return title.reply;
  if (!/"role":"tool"|"function_call_output"|"tool_result"/.test(JSON.stringify(body.messages ?? body.input))) return first.reply;
  return used < then.replies.length ? then.replies[used++] : wrong.reply;
}

/**
 * Writes a reply, or its part up to a fault.
 * @param {import('node:http').ServerResponse} response
 * @param {Form} form
 * @param {any} reply
 */
async function play(response, form, reply) {
  /** @type {Block[]} */
  const blocks = typeof reply === 'string' ? [{ text: [reply] }] : Array.isArray(reply) ? reply : (reply.blocks ?? []);
  let called = false;
  /** @param {string} text */
  const say = (text) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(form.begin());
    response.write(text);
  };
  for (const { pause, text, call, fault } of blocks) {
    if (pause) await sleep(parseFloat(pause) * 1000);
    for (const [index, piece] of (text ?? []).entries()) say(form.text(piece, index));
    if (call) {
      called = true;
      say(form.call({ id: `call_${used}`, name: call.name, arguments: JSON.stringify(call.args) }));
    }
    if (fault) return fail(response, form, fault.kind);
  }
  if (reply.finishReason === 'MALFORMED_FUNCTION_CALL') {
    called = true;
    say(form.call({ id: `call_${used}`, name: tool, arguments: '{"command": "cat' }));
  }
  say(form.end(called));
  response.end();
}

/** @param {import('node:http').ServerResponse} response @param {Form} form @param {string} kind */
function fail(response, form, kind) {
  if (kind === 'cut') return setImmediate(() => response.socket?.destroy());
  const status = statuses[kind];
  const message = `the server failed (${status})`;
  if (response.headersSent) return response.end(form.failed(message));
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) });
  response.end(JSON.stringify(form.error(status, message)));
}

/** Refuses to continue a conversation by its id, so that Anthropic's SDK sends all of it. @param {import('node:http').ServerResponse} response */
function unknownThread(response) {
  const error = { type: 'invalid_request_error', message: 'no such conversation', details: { error_code: 'thread_not_found' } };
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
}

const [host, port] = process.argv[2].split(':');
const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const path = String(request.url).split('?')[0];
  const form = forms[path]?.();
  console.error(`${request.method} ${path}`);
  const body = text === '' ? {} : JSON.parse(text);
  if (body.thread?.type === 'continue') return unknownThread(response);
  if (form) await play(response, form, replyTo(body));
  else response.writeHead(404).end('{}');
});
server.listen(Number(port), host, () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.error(`listening on http://${host}:${address.port}`);
});
