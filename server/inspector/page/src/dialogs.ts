// Dialogs: replaying an edited request, keys, and what belongs to the inspector as a whole.

import * as api from './api';
import { copy } from './clipboard';
import { el } from './dom';
import * as format from './format';
import { notify } from './notice';
import type { Detail, News } from './types';

/** Opens a dialog, which is gone when it is closed. */
function open(title: string, ...children: (Node | null)[]): HTMLDialogElement {
  const close = el('button', { type: 'button', class: 'small', onclick: () => dialog.close() }, 'Close');
  const dialog: HTMLDialogElement = el('dialog', { 'aria-label': title, onclose: () => dialog.remove() },
    el('header', {}, el('h2', {}, title), close), ...children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Sends a request again, edited or not, and shows the new exchange. */
export function replay(d: Detail, show: (number: number) => void): void {
  const text = el('textarea', { 'aria-label': 'Body of the request', spellcheck: 'false', rows: 18 });
  const body = d.client.request?.body ?? '';
  text.value = indented(body);
  const said = el('p', { class: 'said', 'aria-live': 'polite' });
  const send: HTMLButtonElement = el('button', { type: 'button', class: 'primary', onclick: () => void run() }, 'Send');
  const check = (): void => {
    let wrong = '';
    try {
      JSON.parse(text.value);
    } catch (error) {
      wrong = `Not JSON: ${(error as Error).message}`;
    }
    said.textContent = wrong === '' && text.value.includes('…[gemwire left out ') ? 'Replace “[gemwire left out …]” with the full value before sending.' : wrong;
    said.className = said.textContent === '' ? 'said' : 'said lost';
  };
  const run = async (): Promise<void> => {
    send.disabled = true;
    send.textContent = 'Sending…';
    try {
      const edited = text.value === indented(body) ? {} : { body: text.value };
      const done = await api.post<{ number: number; status: number }>(`/api/exchanges/${d.summary.number}/replay`, edited);
      dialog.close();
      if (done && done.number > 0) show(done.number);
      notify(`Replayed: ${done?.status ?? ''}`);
    } catch (error) {
      said.textContent = (error as Error).message;
      said.className = 'said lost';
    }
    send.disabled = false;
    send.textContent = 'Send';
  };
  text.addEventListener('input', check);
  const dialog = open('Replay',
    el('p', { class: 'quiet' }, `${d.summary.method} ${d.client.request?.url ?? d.summary.path}. Sends this through the gateway with the gateway’s keys. It uses quota and is billed.`),
    text, said, el('footer', {}, send));
  check();
  text.focus();
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
}

function indented(body: string): string {
  // Numbers that JavaScript cannot hold would change: such a body is left as it is.
  try {
    const value: unknown = JSON.parse(body);
    return /\d{16}|\.\d{12}|\d[eE]/.test(body) ? body : JSON.stringify(value, undefined, 2);
  } catch {
    return body;
  }
}

/** Shows what belongs to the inspector as a whole. */
export function menu(state: News | undefined): void {
  const address = el('output', { class: 'address' });
  const run = async (what: () => Promise<void>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      notify((error as Error).message, true);
    }
  };
  const dialog = open('Inspector',
    state ? el('p', {}, `Using ${format.bytes(state.bytes)} of ${format.bytes(state.maxBytes)}. Keeps the newest ${format.count(state.maxExchanges)} requests, in memory only.`) : null,
    el('div', { class: 'choices' },
      el('a', { class: 'button', href: '/api/har', download: 'gemwire.har' }, 'Export all as HAR'),
      el('button', { type: 'button', onclick: () => void run(async () => { await api.post('/api/clear', {}); dialog.close(); }) }, 'Clear all requests'),
      el('button', {
        type: 'button', onclick: () => void run(async () => {
          const made = await api.post<{ url: string }>('/api/links', {});
          address.textContent = made!.url;
          await copy(made!.url, 'Link');
        }),
      }, 'Copy a sign-in link for another browser')),
    address, el('h3', {}, 'Keyboard shortcuts'), keys());
}

function keys(): HTMLElement {
  const rows: [string, string][] = [
    ['/', 'search'], ['↓ ↑  or  j k', 'move in the list'], ['Enter', 'open a request'], ['Esc', 'close it'],
    ['1 2 3 4', 'request, response, timeline, signatures'], ['n p', 'next and previous loss'], ['?', 'show this help'],
  ];
  return el('dl', { class: 'keys' }, ...rows.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]));
}
