// What the list says when it has no rows.

import type { Connection } from './api';
import { el } from './dom';
import type { Exchanges } from './exchanges';
import * as format from './format';

/** Returns why the list is empty, and what to do. */
export function reason(exchanges: Exchanges, connection: Connection, clear: () => void): Node {
  const { state } = exchanges;
  if (!state) return el('p', { class: 'loading' }, connection === 'connecting' ? 'Loading…' : 'Waiting for the gateway…');
  if (exchanges.size > 0) {
    return el('div', {}, el('p', {}, `No matches in ${format.plural(exchanges.size, 'request')}.`),
      el('button', { type: 'button', onclick: clear }, 'Clear filters'));
  }
  const command = `curl ${state.gateway}/v1/chat/completions -H 'Content-Type: application/json' -d '{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Hello"}]}'`;
  return el('div', {}, el('h2', {}, 'No requests yet'),
    el('p', {}, 'New requests appear here as they arrive. Try one:'), el('pre', {}, command));
}
