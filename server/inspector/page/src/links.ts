// Addresses of what the page can show.

import { el } from './dom';
import * as route from './route';

export type TabName = 'conversation' | 'request' | 'response' | 'timeline' | 'signatures';

/** The address of a request, and of a part of it. From request to request the filter stays. */
export function request(number: number, tab?: TabName): string {
  const query: Record<string, string> = tab ? { tab } : {};
  if (route.current().view === 'requests') return route.path('requests', String(number), query);
  return `/requests/${number}${tab ? `?tab=${tab}` : ''}`;
}

/** The address of the requests that a query finds. */
export const found = (query: string): string => `/?q=${encodeURIComponent(query)}`;

/** The address of two answers side by side. */
export const comparison = (a: number, b: number): string => `/compare/${a}/${b}`;

/** Writes a term of the search language, with its value in quotes if it needs them. */
export function term(name: string, value: string): string {
  const isPlain = /^[^\s"\\]+$/.test(value);
  return `${name}:${isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`;
}

/** Makes a link to a request. */
export function requestLink(number: number, tab?: TabName): HTMLElement {
  return el('a', { href: request(number, tab) }, `#${number}`);
}
