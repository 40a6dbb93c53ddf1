// The order of the list.

import { columns } from './columns';
import { recall, remember as storeChoice } from './remembered';
import type { Row } from './rows';

export interface Sort { column: string; isDescending: boolean }

/** The newest first. */
export const byDefault: Sort = { column: 'time', isDescending: true };

const storage = 'sort';

/** Reads an order such as "-duration"; "" stands for the last choice. */
export function parse(text: string): Sort {
  const name = (text || recall(storage) || '-time');
  const column = name.replace(/^-/, '');
  return columns.some((c) => c.id === column) ? { column, isDescending: name.startsWith('-') } : byDefault;
}

/** Writes an order for an address, and remembers it. */
export function remember(sort: Sort): string {
  const text = (sort.isDescending ? '-' : '') + sort.column;
  storeChoice(storage, text);
  return text;
}

/** Returns rows in an order. Rows come with the newest first. */
export function sorted(rows: Row[], sort: Sort): Row[] {
  const column = columns.find((c) => c.id === sort.column);
  if (!column || sort.column === 'time') return sort.isDescending ? rows : [...rows].reverse();
  const keys = new Map(rows.map((row) => [row, column.order(row.s)]));
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(keys.get(a)!, keys.get(b)!));
}

const collator = new Intl.Collator('en');

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}
