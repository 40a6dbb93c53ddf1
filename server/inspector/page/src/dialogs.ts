// Dialogs: the columns of the list, keys, and what belongs to the inspector as a whole.

import * as api from './api';
import { copy } from './clipboard';
import { choose, chosen, columns } from './columns';
import { el } from './dom';
import * as format from './format';
import { notify } from './notice';
import * as replayMany from './replaymany';
import * as session from './session';
import { short } from './text';
import type { News } from './types';

/** Opens a dialog. Closing removes it. */
export function open(title: string, ...children: (Node | null)[]): HTMLDialogElement {
  const close = el('button', { type: 'button', class: 'small', onclick: () => dialog.close() }, 'Close');
  const dialog: HTMLDialogElement = el('dialog', { 'aria-label': title, onclose: () => dialog.remove() },
    el('header', {}, el('h2', {}, title), close), ...children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks a question. It calls a function if the answer is the action, and not on Escape. */
export function ask(question: string, action: string, run: () => void, ...children: Node[]): void {
  const dialog = open(question, ...children, el('footer', {},
    el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
    el('button', { type: 'button', class: 'danger', onclick: () => { dialog.close(); run(); } }, action)));
  dialog.querySelector<HTMLElement>('footer button')?.focus();
}

/** Lets people choose the columns of the list. */
export function chooseColumns(changed: () => void): void {
  const boxes = columns.map((column) => {
    const box = el('input', { type: 'checkbox', value: column.id, checked: chosen().includes(column.id) });
    box.addEventListener('change', () => {
      const ids = boxes.filter((b) => b.input.checked).map((b) => b.input.value);
      box.checked ||= ids.length === 0; // A list needs a column.
      choose(boxes.filter((b) => b.input.checked).map((b) => b.input.value));
      changed();
    });
    return { input: box, label: el('label', { class: 'check' }, box, ` ${column.name}`) };
  });
  const reset = (): void => {
    choose(undefined);
    for (const { input } of boxes) input.checked = chosen().includes(input.value);
    changed();
  };
  open('Columns', el('p', { class: 'quiet' }, 'A narrow list shows as many of them as it has room for.'),
    el('fieldset', { class: 'column-choice' }, el('legend', { class: 'hidden' }, 'Columns'), ...boxes.map((b) => b.label)),
    el('footer', {}, el('button', { type: 'button', onclick: reset }, 'Reset to the default')));
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
  const noReplay = state?.noReplay ?? '';
  const dialog = open('Inspector',
    state ? el('p', {}, `Using ${format.bytes(state.bytes)} of ${format.bytes(state.maxBytes)}. ${kept(state)}`) : null,
    state?.storeError ? el('p', { class: 'lost' }, `New requests are not kept on disk: ${short(state.storeError, 300)}`) : null,
    el('div', { class: 'choices' },
      el('a', { class: 'button', href: '/api/har', download: 'gemwire.har' }, 'Export all as HAR'),
      ...session.buttons(() => dialog.close()),
      el('button', {
        type: 'button', disabled: noReplay !== '', 'aria-describedby': noReplay ? 'no-replay' : null,
        onclick: () => { dialog.close(); replayMany.open(); },
      }, 'Replay many…'),
      el('button', { type: 'button', onclick: () => { dialog.close(); clear(state); } }, 'Clear all requests…'),
      el('button', {
        type: 'button', onclick: () => void run(async () => {
          const made = await api.post<{ url: string }>('/api/links', {});
          address.textContent = made!.url;
          await copy(made!.url, 'Link');
        }),
      }, 'Copy a sign-in link for another browser')),
    noReplay ? el('p', { class: 'quiet', id: 'no-replay' }, noReplay.replace(/^Unavailable:/, 'Replay many is unavailable:')) : null,
    address, el('h3', {}, 'Keyboard shortcuts'), keys());
}

/** Says how many exchanges are kept, and where. */
export function kept(state: News): string {
  const where = state.store === 'folder' ? 'in a folder, also over a restart' : 'in memory only';
  const body = state.limits ? ` Records up to ${format.bytes(state.limits.body)} of each body.` : '';
  return `Keeps the newest ${format.count(state.maxExchanges)} requests, ${where}.${body}`;
}

/** Asks before it clears all exchanges. Pinned exchanges can stay. */
function clear(state: News | undefined): void {
  const pinned = state?.pinned?.length ?? 0;
  const keep = el('input', { type: 'checkbox', checked: pinned > 0 });
  const where = state?.store === 'folder' ? ' Files on disk are deleted too.' : '';
  ask('Clear all requests?', 'Clear', () => {
    api.post('/api/clear', { keepPinned: keep.checked }).then(() => notify('Cleared.'), (error: Error) => notify(error.message, true));
  },
  el('p', {}, `The requests of all clients go, with their bodies. This cannot be undone.${where}`),
  ...(pinned > 0 ? [el('label', { class: 'check' }, keep, ` Keep ${format.plural(pinned, 'pinned request')}`)] : []));
}

function keys(): HTMLElement {
  const rows: [string, string][] = [
    ['/', 'search'], ['↓ ↑  or  j k', 'move in the list'], ['j k', 'with an open request: the next and the previous one'],
    ['Enter', 'open a request'], ['Esc', 'close it'], ['1 2 3 …', 'the parts of a request, from left to right'],
    ['n p', 'next and previous loss'], ['?', 'show this help'],
  ];
  return el('dl', { class: 'keys' }, ...rows.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]));
}
