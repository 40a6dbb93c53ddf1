// The list of exchanges: a grid of which only the rows in view are made.

import { type Column, type Context, columns, fitting } from './columns';
import { byId, el, fill } from './dom';
import { zoneName } from './format';
import type { Row } from './rows';
import { type Sort, sorted } from './sort';
import type { Match } from './types';

/** What the list shows. */
export interface Shown {
  rows: Row[];
  matches: Record<string, Match[]>;
  sort: Sort;
  /** The key of the row that is open, or "". */
  open: string;
  /** Why there are no rows. */
  nothing: Node | undefined;
}

const beyond = 5; // rows above and below those in view

export class List {
  private rows: Row[] = [];
  private context: Context = { longest: 1, matches: {} };
  private sort: Sort = { column: 'time', isDescending: true };
  private open = '';
  private focused = ''; // the key of the row that Tab leads to
  private shown: Column[] = [];
  private readonly made = new Map<string, { row: Row; look: string; element: HTMLElement }>();
  private readonly head = el('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 });
  private readonly spacer = el('div', { class: 'spacer', role: 'presentation' });
  private readonly body = el('div', { class: 'rows', role: 'rowgroup' }, this.spacer);
  private readonly grid = el('div', { role: 'grid', class: 'grid', 'aria-label': 'Requests', 'aria-colcount': columns.length },
    el('div', { role: 'rowgroup' }, this.head), this.body);
  private readonly state = el('div', { class: 'state' });
  private drawing = 0;
  private isPressed = false; // A row that changed under the pointer would get no click.
  private version = 0; // of what all rows have in common
  private headLook = '';

  constructor(private readonly choose: (row: Row) => void, private readonly sortBy: (sort: Sort) => void) {
    byId('list').append(this.grid, this.state);
    this.body.addEventListener('scroll', () => this.redraw());
    this.spacer.addEventListener('pointerdown', () => { this.isPressed = true; });
    for (const end of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(end, () => this.released());
    this.body.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.layout()).observe(this.body);
    this.layout();
  }

  /** Shows rows. The rows in view do not move. */
  show(shown: Shown): void {
    const anchor = this.anchor();
    this.rows = sorted(shown.rows, shown.sort);
    this.open = shown.open;
    this.sort = shown.sort;
    const context = { longest: longest(this.rows), matches: shown.matches };
    if (context.longest !== this.context.longest || context.matches !== this.context.matches) this.version++;
    this.context = context;
    if (this.indexOf(this.focused) < 0) this.focused = this.indexOf(this.open) < 0 ? (this.rows[0]?.key ?? '') : this.open;
    this.grid.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.spacer.style.height = `${this.rows.length * this.rowHeight()}px`;
    this.grid.hidden = shown.nothing !== undefined;
    this.state.hidden = shown.nothing === undefined;
    fill(this.state, shown.nothing);
    this.hold(anchor);
    this.makeHead();
    this.redraw();
  }

  /** Chooses the columns again, for a new width or a new choice. */
  layout(): void {
    this.shown = fitting(this.body.clientWidth || byId('list').clientWidth);
    this.grid.style.setProperty('--columns', this.shown.map((c) => c.track).join(' '));
    this.version++;
    this.makeHead();
    this.redraw();
  }

  /** Puts the focus on a row. */
  focus(key = this.focused): void {
    if (!this.reveal(key)) return;
    this.focused = key;
    this.draw();
    this.row(key)?.focus();
  }

  /** Scrolls to a row. It reports false if there is no such row. */
  reveal(key: string): boolean {
    const at = this.indexOf(key);
    if (at < 0) return false;
    const height = this.rowHeight();
    if (at * height < this.body.scrollTop) this.body.scrollTop = at * height;
    const below = (at + 1) * height - this.body.clientHeight;
    if (below > this.body.scrollTop) this.body.scrollTop = below;
    return true;
  }

  /** Moves the focus by rows. */
  move(by: number): void {
    const at = this.indexOf(this.focused);
    const isFocused = this.spacer.contains(document.activeElement);
    const to = this.rows[Math.max(0, Math.min(this.rows.length - 1, isFocused ? at + by : at))];
    if (to) this.focus(to.key);
  }

  /** Returns the row that is a number of rows after another one. */
  after(key: string, by: number): Row | undefined {
    const at = this.indexOf(key);
    return at < 0 ? this.rows[0] : this.rows[at + by];
  }

  /** Returns the position of a row from 1, and the number of rows. A missing row has position 0. */
  position(key: string): { at: number; of: number } {
    return { at: this.indexOf(key) + 1, of: this.rows.length };
  }

  private indexOf(key: string): number {
    return this.rows.findIndex((row) => row.key === key);
  }

  /** Returns the first row in view and how far it is scrolled out. At the top new rows may move the others. */
  private anchor(): { key: string; by: number } | undefined {
    const height = this.rowHeight();
    const at = Math.floor(this.body.scrollTop / height);
    const row = this.rows[at];
    return this.body.scrollTop > 0 && row ? { key: row.key, by: this.body.scrollTop - at * height } : undefined;
  }

  private hold(anchor: { key: string; by: number } | undefined): void {
    const at = anchor ? this.indexOf(anchor.key) : -1;
    if (anchor && at >= 0) this.body.scrollTop = at * this.rowHeight() + anchor.by;
  }

  private row(key: string): HTMLElement | undefined {
    return this.made.get(key)?.element;
  }

  private rowHeight(): number {
    return parseFloat(getComputedStyle(this.grid).getPropertyValue('--row')) || 32;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.body.clientHeight / this.rowHeight()) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length,
    };
    const row = this.rows[this.indexOf(this.focused)];
    if (event.key in steps) this.move(steps[event.key]);
    else if ((event.key === 'Enter' || event.key === ' ') && row) this.choose(row);
    else return;
    event.preventDefault();
  }

  /** Makes the headers if they have changed. */
  private makeHead(): void {
    const look = `${this.shown.map((c) => c.id).join()} ${this.sort.column} ${this.sort.isDescending} ${zoneName()}`;
    if (look === this.headLook) return;
    this.headLook = look;
    const had = this.head.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.column : undefined;
    fill(this.head, ...this.shown.map((column) => this.makeHeader(column)));
    if (had) this.head.querySelector<HTMLElement>(`[data-column="${had}"]`)?.focus();
  }

  private makeHeader(column: Column): HTMLElement {
    const isSorted = this.sort.column === column.id;
    const direction = this.sort.isDescending ? 'descending' : 'ascending';
    const name = column.id === 'time' ? `Time (${zoneName()})` : column.name;
    return el('div', {
      role: 'columnheader', class: `c-${column.id}${column.isNumber ? ' num' : ''}`, 'aria-colindex': columns.indexOf(column) + 1,
      'aria-sort': isSorted ? direction : null,
    }, el('button', {
      type: 'button', class: 'sort', title: column.title ?? `Sort by ${column.name.toLowerCase()}`, 'data-column': column.id,
      onclick: () => this.sortBy({ column: column.id, isDescending: isSorted ? !this.sort.isDescending : true }),
    }, el('span', { class: 'name' }, name), isSorted ? el('span', { 'aria-hidden': 'true' }, this.sort.isDescending ? ' ↓' : ' ↑') : null));
  }

  private released(): void {
    if (!this.isPressed) return;
    this.isPressed = false;
    this.redraw();
  }

  private redraw(): void {
    this.drawing ||= requestAnimationFrame(() => this.draw());
  }

  /** Makes the rows in view and a few around them. Rows that are made already stay. */
  private draw(): void {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    if (this.isPressed) return;
    const height = this.rowHeight();
    const from = Math.max(0, Math.floor(this.body.scrollTop / height) - beyond);
    const to = Math.min(this.rows.length, Math.ceil((this.body.scrollTop + this.body.clientHeight) / height) + beyond);
    const had = this.spacer.contains(document.activeElement);
    const rows = this.rows.slice(from, to);
    const keep = new Set(rows.map((row) => row.key));
    for (const [key, { element }] of this.made) {
      if (keep.has(key)) continue;
      element.remove();
      this.made.delete(key);
    }
    let previous: HTMLElement | undefined;
    rows.forEach((row, i) => { previous = this.place(row, from + i, (from + i) * height, previous); });
    if (had && !this.spacer.contains(document.activeElement)) this.row(this.focused)?.focus({ preventScroll: true });
  }

  /**
   * Puts a row after the one before it. Its element stays while the row is in view, and has new cells only if it looks
   * different, so that it keeps the focus.
   */
  private place(row: Row, i: number, top: number, previous: HTMLElement | undefined): HTMLElement {
    const look = `${this.version} ${row.key === this.open}`;
    const known = this.made.get(row.key);
    const element = known?.element ?? this.makeRow(row.key);
    if (known?.row !== row || known.look !== look) this.fillRow(element, row);
    element.style.top = `${top}px`;
    element.setAttribute('aria-rowindex', String(i + 2));
    element.tabIndex = row.key === this.focused ? 0 : -1;
    if (element.previousElementSibling !== (previous ?? null) || !element.isConnected) {
      if (previous) previous.after(element);
      else this.spacer.prepend(element);
    }
    this.made.set(row.key, { row, look, element });
    return element;
  }

  private makeRow(key: string): HTMLElement {
    return el('div', {
      role: 'row', 'data-key': key,
      onclick: () => {
        this.focused = key;
        const row = this.rows[this.indexOf(key)];
        if (row) this.choose(row);
      },
      onfocus: () => { this.focused = key; },
    });
  }

  private fillRow(element: HTMLElement, row: Row): void {
    const isOpen = row.key === this.open;
    element.className = `row${isOpen ? ' current' : ''}${row.job ? ' job' : ''}`;
    if (!row.job) element.dataset.number = String(row.s.number);
    element.setAttribute('aria-selected', isOpen ? 'true' : 'false');
    fill(element, ...this.shown.map((column) => el('div', {
      role: 'gridcell', class: `c-${column.id}${column.isNumber ? ' num' : ''}`, 'aria-colindex': columns.indexOf(column) + 1,
    }, ...column.cell(row, this.context))));
  }
}

/** Returns the duration that a bar of full length stands for: few longer ones do not make the others invisible. */
function longest(rows: Row[]): number {
  const durations = rows.filter((row) => !row.job && !row.s.running).map((row) => row.s.duration).sort((a, b) => a - b);
  return Number((durations[Math.floor(durations.length * 0.98)] ?? 1).toPrecision(2));
}

// Parts of the list that other files of the page know by its name.
export { modelsOf } from './columns';
export { statusBadge } from './status';
