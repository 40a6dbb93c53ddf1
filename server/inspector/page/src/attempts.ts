// The table of the upstream's calls.

import type { Call } from './calls';
import { el } from './dom';
import * as format from './format';
import { short } from './text';

export function attemptsTable(calls: Call[]): HTMLElement {
  const rows = calls.map((c) => el('tr', {},
    el('td', {}, c.label), el('td', {}, short(c.model, 80) || '–'), el('td', {}, c.account || '–'),
    el('td', {}, el('span', { class: `badge ${c.isLookUp ? '' : c.isGood ? 'good' : 'bad'}` }, c.status || 'no response')),
    el('td', { class: 'num' }, format.duration(c.from)), el('td', { class: 'num' }, format.duration(c.to - c.from)),
    el('td', { class: 'num' }, c.firstChunk === undefined ? '–' : format.duration(c.firstChunk)),
    el('td', { class: 'said' }, short(c.error, 500), c.asked > 0 ? ` Retry after ${format.duration(c.asked)}.` : '')));
  return el('section', {}, el('h3', {}, 'Attempts'), scroller('Attempts', el('table', {},
    el('thead', {}, el('tr', {}, ...['Call', 'Model', 'Account', 'Status', 'Started', 'Duration', 'First chunk', 'Error'].map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows))));
}

/** Puts a table into a frame that scrolls if the table is too wide. */
export function scroller(label: string, child: HTMLElement): HTMLElement {
  return el('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': label }, child);
}
