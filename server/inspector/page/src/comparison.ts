// The difference of two answers.

import { el } from './dom';
import * as format from './format';
import { JSONView } from './jsonview';
import * as links from './links';
import { scroller } from './timeline';
import type {
  CallPair, ComparedCall, ComparedSide, Comparison, Difference,
} from './types-talk';

/** Draws a comparison. */
export function comparison(found: Comparison): HTMLElement[] {
  const [left, right] = found.sides;
  const sections = [
    numbers(left, right), texts(found.text ?? [], left, right),
    calls(found.calls ?? [], left, right),
  ];
  return sections.filter((e) => e !== null);
}

interface Row {
  name: string;
  of: (s: ComparedSide) => string;
  number?: (s: ComparedSide) => number;
  write?: (n: number) => string;
}

const word = (name: string, of: Row['of']): Row => ({ name, of });
const amount = (name: string, number: (s: ComparedSide) => number, write = format.count): Row =>
  ({ name, of: (s) => write(number(s)), number, write });

const rows: Row[] = [
  word('Model', (s) => s.model || '–'),
  word('Status', (s) => (s.status > 0 ? String(s.status) : 'running')),
  word('Error', (s) => s.error ?? ''),
  word('Finish reason', (s) => s.finish || '–'),
  amount('Duration', (s) => s.duration, format.duration),
  amount('Time to first token', (s) => s.firstToken, (ms) => (ms > 0 ? format.duration(ms) : '–')),
  amount('Input tokens', (s) => s.tokens.input),
  amount('Output tokens', (s) => s.tokens.output),
  amount('Thinking tokens', (s) => s.tokens.thinking),
  amount('Cached tokens', (s) => s.tokens.cached),
  amount('Cost', (s) => s.cost?.amount ?? 0, (n) => (n > 0 ? format.money(n, 'USD') : '–')),
  amount('Lost fields', (s) => s.losses),
  amount('Calls', (s) => s.calls?.length ?? 0),
];

function numbers(left: ComparedSide, right: ComparedSide): HTMLElement {
  const shown = rows.filter((row) => row.of(left) !== '' || row.of(right) !== '');
  const names = [left, right].map((s) => el('th', { scope: 'col' }, links.requestLink(s.number)));
  const head = el('tr', {}, el('td', {}), ...names, el('th', { scope: 'col' }, 'Difference'));
  const body = shown.map((row) => {
    const differs = row.of(left) === row.of(right) ? null : 'differs';
    return el('tr', { class: differs }, el('th', { scope: 'row' }, row.name),
      el('td', {}, row.of(left)), el('td', {}, row.of(right)),
      el('td', {}, difference(row, left, right)));
  });
  return scroller('Numbers of both requests', el('table', { class: 'numbers' },
    el('thead', {}, head), el('tbody', {}, ...body)));
}

function difference(row: Row, left: ComparedSide, right: ComparedSide): string {
  if (row.of(left) === '–' || row.of(right) === '–') return row.of(left) === row.of(right) ? '' : 'only one';
  if (row.of(left) === row.of(right)) return 'same';
  if (!row.number || !row.write) return 'different';
  const [a, b] = [row.number(left), row.number(right)];
  const change = `${b > a ? '+' : '−'}${row.write(Math.abs(b - a))}`;
  return a > 0 && b > 0 ? `${change} (${ratio(a, b)})` : change;
}

function ratio(a: number, b: number): string {
  if (b >= 2 * a) return `${(b / a).toFixed(1)} ×`;
  const percent = Math.round((b / a - 1) * 100);
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent)} %`;
}

/** Draws both texts. What only one of them has is marked as deleted or inserted. */
function texts(all: Difference[], left: ComparedSide, right: ComparedSide): HTMLElement {
  const isEqual = all.every((d) => d.op === 'same');
  const hint = isEqual ? 'no difference' : 'text that only one answer has is highlighted';
  return el('section', { 'aria-label': 'Texts' },
    el('h3', {}, 'Text ', el('span', { class: 'quiet' }, hint)),
    el('div', { class: 'sides' }, side(all, left, 'left'), side(all, right, 'right')));
}

function side(all: Difference[], s: ComparedSide, op: 'left' | 'right'): HTMLElement {
  const tag = op === 'left' ? 'del' : 'ins';
  const pieces = all.filter((d) => d.op === 'same' || d.op === op)
    .map((d) => el(d.op === 'same' ? 'span' : tag, {}, d.text));
  const region = {
    class: 'text', dir: 'auto', tabindex: 0, role: 'region',
    'aria-label': `Text of request ${s.number}`,
  };
  return el('div', { class: 'side' }, el('h4', {}, links.requestLink(s.number), ` ${s.model}`),
    pieces.length === 0 ? el('p', { class: 'quiet' }, s.note || 'No text.')
      : el('div', region, ...pieces));
}

/** Draws the calls of both answers, with calls of the same function next to each other. */
function calls(pairs: CallPair[], left: ComparedSide, right: ComparedSide): HTMLElement | null {
  if (pairs.length === 0) return null;
  const box = (s: ComparedSide, i: number): HTMLElement =>
    callBox(s.calls?.[i], `Call ${i + 1} of request ${s.number}`);
  const items = pairs.map((pair) => {
    const badge = pair.same
      ? el('span', { class: 'badge good' }, 'same call')
      : el('span', { class: 'badge warn' }, 'different');
    const sides = el('div', { class: 'sides' }, box(left, pair.left), box(right, pair.right));
    return el('li', {}, badge, sides);
  });
  const heading = el('h3', {}, 'Calls');
  return el('section', { 'aria-label': 'Calls' }, heading, el('ol', {}, ...items));
}

function callBox(call: ComparedCall | undefined, label: string): HTMLElement {
  if (!call) return el('div', { class: 'side' }, el('p', { class: 'quiet' }, 'No such call.'));
  const name = el('h4', {}, el('code', {}, call.name));
  return el('div', { class: 'side' }, name, new JSONView(json(call.args), label).element);
}

const json = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null));
