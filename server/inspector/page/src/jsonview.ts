// A JSON document on the page: numbered lines, with the places that reports name marked at the edge.

import { el } from './dom';
import { plural } from './format';
import { layout, rangeOf, type Layout, type Line } from './json';
import type { Kind } from './types';

/** Lines that are made at first; the rest comes by a button, or when something in it is shown. */
const atFirst = 1500;
/** Of a longer string only the beginning is shown at first. */
const longString = 1200;

export interface Mark { pointer: string; kind: Kind }

export class JSONView {
  readonly element: HTMLElement;
  private readonly found: Layout | undefined;
  private readonly kinds: (Kind | undefined)[] = [];
  private readonly rows: HTMLElement[] = [];
  private more: HTMLButtonElement | undefined;

  constructor(text: string, label: string, marks: Mark[] = [], private readonly notes?: string[]) {
    this.found = layout(text);
    this.element = el('div', { class: 'json', tabindex: 0, role: 'region', 'aria-label': label });
    if (!this.found) {
      this.element.append(el('pre', { class: 'plain' }, text));
      return;
    }
    for (const mark of marks) this.mark(mark);
    this.show(Math.min(atFirst, this.found.lines.length));
  }

  /** Shows a value and what it is marked with. It reports false when the document has no such value. */
  select(pointer: string, kind: Kind | 'near'): boolean {
    this.clear();
    if (!this.found) return false;
    const range = rangeOf(this.found, pointer);
    if (!range || (range[0] === 0 && pointer !== '')) return false;
    if (range[1] > this.rows.length) this.show(this.found.lines.length);
    const lines = this.rows.slice(range[0], range[1]);
    for (const line of lines) line.classList.add('selected', `selected-${kind}`);
    const first = lines[0];
    this.element.scrollTop = first.offsetTop - this.element.clientHeight / 3;
    return true;
  }

  /** Scrolls the page to what is shown. */
  reveal(): void {
    this.element.querySelector('.selected')?.scrollIntoView({ block: 'nearest' });
  }

  clear(): void {
    for (const line of this.element.querySelectorAll('.selected')) line.className = line.className.replace(/ ?selected\S*/g, '');
  }

  private mark({ pointer, kind }: Mark): void {
    const range = this.found && rangeOf(this.found, pointer);
    if (!range || (range[0] === 0 && pointer !== '')) return;
    for (let i = range[0]; i < range[1]; i++) {
      if (this.kinds[i] !== 'lost') this.kinds[i] = kind;
    }
  }

  /** Makes lines up to a number. */
  private show(to: number): void {
    const lines = this.found!.lines;
    this.more?.remove();
    for (let i = this.rows.length; i < to; i++) this.rows.push(this.row(lines[i], i));
    this.element.append(...this.rows.slice(this.element.childElementCount));
    if (to < lines.length) {
      this.more = el('button', { type: 'button', class: 'more', onclick: () => this.show(lines.length) },
        `Show ${plural(lines.length - to, 'more line')}`);
      this.element.append(this.more);
    }
  }

  private row(line: Line, i: number): HTMLElement {
    const kind = this.kinds[i];
    const code = el('code', {});
    code.style.paddingInlineStart = `${line.depth * 2}ch`;
    for (const token of line.tokens) {
      code.append(token.text.length > longString ? longText(token.text) : el('span', { class: `t-${token.kind}` }, token.text));
    }
    const chunk = this.notes && line.depth === 1 && /^\/\d+$/.test(line.pointer) && (i === 0 || !this.isClosing(i))
      ? el('span', { class: 'note' }, this.notes[Number(line.pointer.slice(1))] ?? '')
      : undefined;
    return el('div', { class: kind ? `line marked-${kind}` : 'line', title: kind ? `${kind}: ${line.pointer}` : null }, chunk, code);
  }

  private isClosing(i: number): boolean {
    return /^[}\]]/.test(this.found!.lines[i].tokens[0].text);
  }
}

function longText(text: string): HTMLElement {
  const span = el('span', { class: 't-string' }, text.slice(0, longString));
  const more: HTMLButtonElement = el('button', { type: 'button', class: 'more', onclick: () => { span.textContent = text; } },
    `… ${plural(text.length - longString, 'more character')}`);
  span.append(more);
  return span;
}
