// The list of exchanges: a grid of which only the rows in view are made.

import { byId, el, fill } from './dom';
import * as format from './format';
import { isConverted } from './sides';
import type { Summary } from './types';

interface Column { name: string; class: string; title?: string; cell: (s: Summary) => (Node | string)[] }

const dash = '–';

const columns: Column[] = [
  { name: 'Time', class: 'c-time', cell: (s) => [format.time(s.at)] },
  { name: 'Client', class: 'c-client', cell: (s) => [s.client || shortAgent(s.userAgent) || dash] },
  { name: 'Model', class: 'c-model', cell: models },
  { name: 'Status', class: 'c-status', cell: (s) => [statusBadge(s)] },
  { name: 'Duration', class: 'c-duration num', cell: (s) => [s.running ? '…' : format.duration(s.duration)] },
  { name: 'Time to first token', class: 'c-first num', cell: (s) => [s.firstToken > 0 ? format.duration(s.firstToken) : dash] },
  {
    name: 'Tokens', class: 'c-tokens num', title: 'Input → output tokens; output includes thinking',
    cell: (s) => [s.tokens.total > 0 ? `${s.tokens.estimated ? '≈ ' : ''}${format.short(s.tokens.input)} → ${format.short(s.tokens.output)}` : dash],
  },
  { name: 'Cost', class: 'c-cost num', cell: (s) => [s.cost ? format.money(s.cost.amount, s.cost.currency) : dash] },
  { name: 'Losses', class: 'c-losses', cell: losses },
];

/** Returns what a client calls itself, without its version. */
const shortAgent = (agent: string): string => agent.split(/[\s(]/)[0].slice(0, 40);

/** Returns the models of a request: what the client asked for, what the upstream was asked for, and what answered. */
export function modelsOf(s: Summary): string[] {
  const names = [s.model, s.askedModel ?? '', s.upstreamModel].filter((name) => name !== '');
  return names.filter((name, i) => name !== names[i - 1]);
}

function models(s: Summary): (Node | string)[] {
  const [asked = s.path, ...others] = modelsOf(s);
  const title = s.modelWarnings?.join('\n') ?? null;
  return [asked, ...others.flatMap((model) => [el('span', { class: 'arrow' }, ' → '), el('span', { class: 'upstream', title }, model)])];
}

export function statusBadge(s: Summary): HTMLElement {
  if (s.running) return el('span', { class: 'badge running' }, 'running');
  if (s.canceled) return el('span', { class: 'badge warn', title: 'The client disconnected' }, 'client disconnected');
  const inside = s.status < 400 && s.error?.message;
  const look = s.status >= 500 || inside ? 'bad' : s.status >= 400 ? 'warn' : 'good';
  return el('span', { class: `badge ${look}`, title: s.error?.message ?? null }, inside ? `${s.status} · stream failed` : String(s.status));
}

function losses(s: Summary): (Node | string)[] {
  if (s.lost > 0) return [el('span', { class: 'badge lost' }, `${s.lost} lost`)];
  if (s.approximated > 0) return [el('span', { class: 'quiet', title: 'Values that were converted' }, `${s.approximated} changed`)];
  const converts = s.status < 400 && isConverted(s) && s.form !== 'models';
  return [el('span', { class: 'quiet' }, s.running ? '' : converts ? 'none' : dash)];
}

export class List {
  private items: Summary[] = [];
  private selected = 0;
  private focused = 0; // the number of the exchange that Tab leads to
  private readonly body: HTMLElement;
  private readonly grid: HTMLElement;
  private readonly spacer: HTMLElement;
  private readonly state: HTMLElement;
  private drawing = 0;

  constructor(private readonly open: (number: number) => void) {
    const header = el('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 },
      ...columns.map((c) => el('div', { role: 'columnheader', class: c.class, title: c.title }, c.name)));
    this.spacer = el('div', { class: 'spacer', role: 'presentation' });
    this.body = el('div', { class: 'rows', role: 'rowgroup' }, this.spacer);
    this.grid = el('div', { role: 'grid', class: 'grid', 'aria-label': 'Requests, the newest first', 'aria-colcount': columns.length },
      el('div', { role: 'rowgroup' }, header), this.body);
    this.state = el('div', { class: 'state' });
    byId('list').append(this.grid, this.state);
    this.body.addEventListener('scroll', () => this.redraw());
    this.body.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.redraw()).observe(this.body);
  }

  /** Shows the newest exchanges first. Without exchanges it shows the reason. */
  show(items: Summary[], selected: number, nothing: Node | undefined): void {
    const height = this.rowHeight();
    const added = this.items.length > 0 && this.body.scrollTop > 0 ? items.findIndex((s) => s.number === this.items[0].number) : 0;
    this.items = items;
    this.selected = selected;
    if (!items.some((s) => s.number === this.focused)) this.focused = selected || (items[0]?.number ?? 0);
    this.grid.setAttribute('aria-rowcount', String(items.length + 1));
    this.spacer.style.height = `${items.length * height}px`;
    if (added > 0) this.body.scrollTop += added * height; // What is read stays where it is.
    this.grid.hidden = nothing !== undefined;
    this.state.hidden = nothing === undefined;
    fill(this.state, nothing);
    this.redraw();
  }

  /** Puts the focus on the row of an exchange. */
  focus(number = this.focused): void {
    const at = this.items.findIndex((s) => s.number === number);
    if (at < 0) return;
    this.focused = number;
    const height = this.rowHeight();
    if (at * height < this.body.scrollTop) this.body.scrollTop = at * height;
    if ((at + 1) * height > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = (at + 1) * height - this.body.clientHeight;
    this.draw();
    this.row(number)?.focus();
  }

  /** Moves the focus by rows. */
  move(by: number): void {
    const at = this.items.findIndex((s) => s.number === this.focused);
    const to = this.items[Math.max(0, Math.min(this.items.length - 1, at + by))];
    if (to) this.focus(to.number);
  }

  private row(number: number): HTMLElement | null {
    return this.spacer.querySelector(`[data-number="${number}"]`);
  }

  private rowHeight(): number {
    return parseFloat(getComputedStyle(this.grid).getPropertyValue('--row')) || 32;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.rowHeight()) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.items.length, End: this.items.length,
    };
    if (event.key in steps) this.move(steps[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.open(this.focused);
    else return;
    event.preventDefault();
  }

  private redraw(): void {
    this.drawing ||= requestAnimationFrame(() => this.draw());
  }

  /** Makes the rows in view and a few around them. */
  private draw(): void {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    const height = this.rowHeight();
    const from = Math.max(0, Math.floor(this.body.scrollTop / height) - 5);
    const to = Math.min(this.items.length, Math.ceil((this.body.scrollTop + this.body.clientHeight) / height) + 5);
    const had = document.activeElement instanceof HTMLElement && this.spacer.contains(document.activeElement);
    const rows: HTMLElement[] = [];
    for (let i = from; i < to; i++) rows.push(this.makeRow(this.items[i], i, i * height));
    this.spacer.replaceChildren(...rows);
    if (had) this.row(this.focused)?.focus({ preventScroll: true });
  }

  private makeRow(s: Summary, i: number, top: number): HTMLElement {
    const row = el('div', {
      role: 'row', class: `row${s.number === this.selected ? ' current' : ''}`, 'data-number': s.number, 'aria-rowindex': i + 2,
      'aria-selected': s.number === this.selected ? 'true' : 'false', tabindex: s.number === this.focused ? 0 : -1,
      onclick: () => { this.focused = s.number; this.open(s.number); },
      onfocus: () => { this.focused = s.number; },
    }, ...columns.map((c) => el('div', { role: 'gridcell', class: c.class, 'data-label': c.name }, ...c.cell(s))));
    row.style.top = `${top}px`;
    return row;
  }
}
