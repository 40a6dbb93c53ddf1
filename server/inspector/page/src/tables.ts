// Tables that move within their frame when they are too wide.

import { el } from './dom';
import { scroller } from './timeline';

export type Cell = Node | string | number | null;
export interface Column {
  name: Node | string;
  isNumber?: boolean;
}

export const text = (name: Node | string): Column => ({ name });
export const number = (name: string): Column => ({ name, isNumber: true });

/** Makes a table with a header row. */
export function table(label: string, columns: Column[], rows: Cell[][]): HTMLElement {
  const look = (i: number): string | null => (columns[i].isNumber ? 'num' : null);
  const head = columns.map((c, i) => el('th', { scope: 'col', class: look(i) }, c.name));
  const body = rows.map((row) => {
    return el('tr', {}, ...row.map((cell, i) => el('td', { class: look(i) }, cell)));
  });
  const made = el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...body));
  return scroller(label, made);
}
