// The rows of the overview. Each leads to the requests that it counts.

import { el } from './dom';
import * as format from './format';
import * as known from './known';
import * as links from './links';
import { type Cell, type Column, number, table, text } from './tables';
import type {
  AccountRow, ClientRow, KindRow, LossRow, ModelRow, Overview,
} from './types-overview';

/** Draws the sections that have rows. */
export function sections(o: Overview, since: string): HTMLElement[] {
  const find = new Find(since);
  const all = [
    accounts(o.accounts ?? [], find), kinds(o.kinds ?? [], find), clients(o.clients ?? [], find),
    models(o.models ?? [], find), losses(o.losses ?? [], find),
  ];
  return all.filter((e) => e !== null);
}

/** Makes links to the requests of a row. */
class Find {
  constructor(private readonly since: string) {}

  link(name: string, ...terms: string[]): HTMLElement {
    const query = [...terms, ...(this.since ? [`since:${this.since}`] : [])].join(' ');
    return el('a', { href: links.found(query), 'data-key': `${query} ${name}` }, name);
  }

  /** A number that leads to its requests. Zero leads nowhere. */
  count(n: number, ...terms: string[]): Cell {
    return n > 0 ? this.link(format.count(n), ...terms) : '0';
  }
}

function section(title: string, columns: Column[], rows: Cell[][]): HTMLElement | null {
  if (rows.length === 0) return null;
  const heading = el('h3', {}, title);
  return el('section', {}, heading, table(title, columns, rows));
}

const time = (ms: number | null | undefined): string => (ms ? format.duration(ms) : '–');
const money = ({ cost, currency }: { cost?: number | null; currency?: string }): string =>
  (cost ? format.money(cost, currency || 'USD') : '–');
const wordy = (...children: (Node | string | null)[]): HTMLElement =>
  el('span', { class: 'message-text' }, ...children);
const badge = (look: string, name: string): HTMLElement =>
  el('span', { class: `badge ${look}` }, name);

const accountColumns = [
  text('Account'), text('State'), text('Until'), text('Caused by'),
  number('Calls'), number('Failed'),
];

function accounts(all: AccountRow[], find: Find): HTMLElement | null {
  return section('Accounts', accountColumns, all.map((a) => {
    const of = links.term('account', a.name);
    const rests = Boolean(a.resting);
    return [
      find.link(a.name || '(no name)', of),
      rests ? wordy(badge('warn', 'paused'), ` ${a.resting}`) : badge('good', 'available'),
      rests && a.until ? `${format.dateTime(a.until)}${remaining(a.until)}` : '–',
      rests && a.by ? el('span', {}, 'request ', links.requestLink(a.by)) : '–',
      find.count(a.calls, of), find.count(a.failed, of, 'status:failed'),
    ];
  }));
}

function remaining(until: string): string {
  const ms = Date.parse(until) - Date.now();
  return ms > 0 ? `, in ${format.duration(ms)}` : '';
}

/** What the kinds of failures are called. */
const kindNames: Record<string, string> = {
  refused: 'refused by the gateway',
  client_left: 'client disconnected',
  rate_limited: 'rate limited',
  upstream_error: 'upstream error',
  stream_cut: 'stream cut',
  connection: 'no connection to the upstream',
  timeout: 'timeout',
  blocked: 'blocked by a filter',
  gateway: 'gateway error',
};

export const kindName = (kind: string): string => kindNames[kind] ?? kind;

const kindColumns = [
  text('Kind'), number('Requests'), text('Newest'), text('Message of the newest'),
];

function kinds(all: KindRow[], find: Find): HTMLElement | null {
  return section('Errors by kind', kindColumns, all.map((k) => [
    find.link(kindName(k.kind), links.term('error', k.kind)),
    find.count(k.requests, links.term('error', k.kind)),
    links.requestLink(k.newest), wordy(k.example ?? ''),
  ]));
}

const clientColumns = [
  text('Client'), number('Requests'), number('Failed'), text('Errors'), number('Tokens'),
  number('Cost'),
];

function clients(all: ClientRow[], find: Find): HTMLElement | null {
  return section('Clients', clientColumns, all.map((c) => {
    const of = links.term('client', c.name);
    const failed = Object.entries(c.kinds ?? {}).sort((a, b) => b[1] - a[1]);
    const errors = failed.map(([kind, n]) =>
      find.link(`${kindName(kind)} ${format.count(n)}`, of, links.term('error', kind)));
    return [
      find.link(c.name || '(no name)', of), find.count(c.requests, of),
      find.count(c.failed, of, 'status:failed'),
      wordy(...errors.flatMap((e, i) => (i > 0 ? [', ', e] : [e]))),
      format.short(c.tokens), money(c),
    ];
  }));
}

const modelColumns = [
  text('Model'), number('Requests'), number('Failed'), number('Median'), number('p95'),
  number('First token, median'), number('First token, p95'), number('Cost'),
];

function models(all: ModelRow[], find: Find): HTMLElement | null {
  return section('Models', modelColumns, all.map((m) => {
    const of = links.term('model', m.model);
    const slow = m.p95 ? find.link(time(m.p95), of, `>=${Math.floor(m.p95)}ms`) : '–';
    return [
      find.link(m.model || '(no name)', of), find.count(m.requests, of),
      find.count(m.failed, of, 'status:failed'), time(m.p50), slow, time(m.first50),
      time(m.first95), money(m),
    ];
  }));
}

const lossColumns = [text('Field'), text('Kind'), text('Seen in'), text('Reason')];

function losses(all: LossRow[], find: Find): HTMLElement | null {
  return section('Losses', lossColumns, all.map((l) => {
    const docs = known.docsLink(l.docs);
    const outside = { href: docs, target: '_blank', rel: 'noreferrer noopener' };
    return [
      l.kind === 'lost'
        ? find.link(l.pointer || '(entire body)', links.term('lost', l.pointer))
        : el('code', {}, l.pointer || '(entire body)'),
      badge(l.kind, l.kind === 'approximated' ? 'changed' : l.kind),
      wordy(`seen in ${format.plural(l.requests, 'request')}, newest `,
        links.requestLink(l.newest)),
      wordy(l.detail, ' ', docs ? el('a', outside, 'Reference') : null),
    ];
  }));
}
