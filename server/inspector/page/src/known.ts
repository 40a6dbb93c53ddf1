// What the page knows, for the parts of it that show other exchanges than the open one.

import type { News, Summary } from './types';

/** Where the exchanges are, and which of them the filter lets through. */
export interface Source {
  get: (number: number) => Summary | undefined;
  filtered: () => Summary[];
  count: () => number;
}

let source: Source = { get: () => undefined, filtered: () => [], count: () => 0 };
let docs = '';
const listeners = new Set<() => void>();

export function use(all: Source): void {
  source = all;
}

/** Reports that news have come. */
export function changed(news: News & { docs?: string }): void {
  docs = news.docs ?? docs;
  for (const listener of listeners) listener();
}

/** Calls a function after each change, until the returned function is called. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const summary = (number: number): Summary | undefined => source.get(number);

/** The exchanges that the filter lets through, the newest first. */
export const filtered = (): Summary[] => source.filtered();

/** The number of all exchanges. */
export const count = (): number => source.count();

/** The address of a page of the documentation; undefined when the gateway names none. */
export function docsLink(path: string | undefined): string | undefined {
  if (!path || !/^https?:\/\//.test(docs)) return undefined;
  return `${docs.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}
