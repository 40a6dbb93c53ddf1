// The tables of the spend.

import { el, svg } from './dom';
import * as format from './format';
import { type Cell, type Column, number, table, text } from './tables';
import type { SpendRow } from './types-spend';

/** A sum of rows, with the costs by currency. */
interface Sum {
  name: string;
  requests: number;
  failures: number;
  tokens: number;
  unpricedTokens: number;
  costs: Map<string, number>;
}

/** Adds rows by a name, the most expensive first. */
function sums(rows: SpendRow[], by: (row: SpendRow) => string): Sum[] {
  const all = new Map<string, Sum>();
  for (const row of rows) {
    const name = by(row);
    const sum = all.get(name) ?? { name, requests: 0, failures: 0, tokens: 0, unpricedTokens: 0, costs: new Map<string, number>() };
    all.set(name, sum);
    sum.requests += row.requests;
    sum.failures += row.failures;
    sum.tokens += row.tokens;
    sum.unpricedTokens += row.unpricedTokens;
    if (row.currency) sum.costs.set(row.currency, (sum.costs.get(row.currency) ?? 0) + row.cost);
  }
  return [...all.values()].sort((a, b) => most(b) - most(a) || b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}

const most = (s: Sum): number => Math.max(0, ...s.costs.values());
const cost = (s: Sum): string =>
  ([...s.costs].map(([currency, amount]) => format.money(amount, currency)).join(' + ') || '–');

/** Describes the sum of rows: the cost, the requests, and tokens without a price. */
export function total(rows: SpendRow[]): string {
  const [sum] = sums(rows, () => '');
  if (!sum) return 'nothing';
  const parts = [cost(sum) === '–' ? 'no price' : cost(sum), format.plural(sum.requests, 'request')];
  if (sum.unpricedTokens > 0) parts.push(`${format.short(sum.unpricedTokens)} tokens without a price`);
  return parts.join(', ');
}

function section(title: string, columns: Column[], rows: Cell[][]): HTMLElement[] {
  if (rows.length === 0) return [];
  return [el('section', {}, el('h3', {}, title), table(title, columns, rows))];
}

const wordy = (words: string): HTMLElement => el('span', { class: 'message-text' }, words);

/** Draws a bar whose length is a share of the longest one. */
function bar(share: number): Node {
  return svg('svg', { class: 'spend-bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { x: 0, y: 0, width: (100 * share).toFixed(2), height: 10 }));
}

/** Draws the sections that have rows. */
export function sections(rows: SpendRow[]): HTMLElement[] {
  const of = (title: string, name: string, by: (row: SpendRow) => string, sort?: (a: Sum, b: Sum) => number): HTMLElement[] => {
    const all = sums(rows, by);
    if (sort) all.sort(sort);
    // without any price the bars are of tokens
    const measure = all.some((s) => most(s) > 0) ? most : (s: Sum): number => s.tokens;
    const longest = Math.max(...all.map(measure), Number.MIN_VALUE);
    return section(title, [text(name), number('Cost'), text('Compared'), number('Requests'), number('Failed'), number('Tokens'), number('Unpriced tokens')],
      all.map((s) => [wordy(s.name), cost(s), bar(measure(s) / longest), format.count(s.requests), format.count(s.failures), format.short(s.tokens), format.short(s.unpricedTokens)]));
  };
  return [
    ...of('By key', 'Key', (r) => r.client || '(no key)'),
    ...of('By model', 'Model', (r) => r.model || '(no model)'),
    ...of('By day', 'Day (UTC)', (r) => r.day, (a, b) => (a.name < b.name ? 1 : -1)),
    ...section('Without a price', [text('Reason'), number('Requests'), number('Tokens')],
      sums(rows.filter((r) => r.unpriced !== ''), (r) => r.unpriced).map((s) => [
        wordy(s.name), format.count(s.requests), format.short(s.unpricedTokens)])),
  ];
}
