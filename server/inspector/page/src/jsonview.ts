// A JSON document on the page, with the places that reports name marked at the edge. Its lines are made
// in blocks, when they come into view, so that a large document opens fast.

import { el, textNodes } from './dom';
import { plural } from './format';
import { layout, rangeOf, tokensOf, type Layout, type Line } from './json';
import { cut, piecesOfJSON } from './text';
import type { Kind } from './types';

/** Lines of a block, and the height of a line that a block not yet made stands for. */
const blockLines = 250;
const lineHeight = 18;
/** Of a longer string only the beginning is shown at first. */
const longString = 1200;
/** Of a longer text that is not JSON only the beginning is shown at first. */
const longText = 50_000;

export interface Mark { pointer: string; kind: Kind }

export class JSONView {
  readonly element: HTMLElement;
  private readonly found: Layout | undefined;
  private readonly kinds: (Kind | undefined)[] = [];
  private readonly blocks: HTMLElement[] = [];
  private readonly rows: (HTMLElement | undefined)[] = [];
  private readonly watcher: IntersectionObserver | undefined;

  constructor(text: string, label: string, marks: Mark[] = [], private readonly notes?: string[]) {
    this.found = layout(text);
    this.element = el('div', { class: 'json', tabindex: 0, role: 'region', 'aria-label': label });
    if (!this.found) {
      this.element.append(el('pre', { class: 'plain' }, beginning(text, longText)));
      return;
    }
    for (const mark of marks) this.mark(mark);
    this.watcher = new IntersectionObserver((seen) => {
      for (const entry of seen) if (entry.isIntersecting) this.make(this.blocks.indexOf(entry.target as HTMLElement));
    }, { root: this.element, rootMargin: '800px 0px' });
    for (let from = 0; from < this.found.lines.length; from += blockLines) this.addBlock(from);
    this.make(0);
  }

  /** Shows a value and what it is marked with. It reports false when the document has no such value. */
  select(pointer: string, kind: Kind | 'near'): boolean {
    this.clear();
    if (!this.found) return false;
    const range = rangeOf(this.found, pointer);
    if (!range || (range[0] === 0 && pointer !== '')) return false;
    const last = Math.min(range[1] - 1, range[0] + 2 * blockLines);
    for (let b = Math.floor(range[0] / blockLines); b <= Math.floor(last / blockLines); b++) this.make(b);
    for (let i = range[0]; i <= last; i++) this.rows[i]!.classList.add('selected', `selected-${kind}`);
    this.scrollTo(this.rows[range[0]]!);
    return true;
  }

  /** Scrolls the parts around the document until what is selected is in view, in their upper third. */
  reveal(): void {
    const line = this.element.querySelector('.selected');
    const outer = this.element.closest('.detail');
    if (!line || !outer) return;
    const place = line.getBoundingClientRect();
    const frame = outer.getBoundingClientRect();
    // On a wide page the list of losses must not move while the line is in view.
    const lowest = matchMedia('(max-width: 860px)').matches ? frame.top + frame.height / 3 : Math.min(frame.bottom, innerHeight);
    if (place.top >= frame.top && place.bottom <= lowest) return;
    outer.scrollTop += place.top - frame.top - outer.clientHeight / 4;
  }

  clear(): void {
    for (const line of this.element.querySelectorAll('.selected')) line.className = line.className.replace(/ ?selected\S*/g, '');
  }

  private scrollTo(line: HTMLElement): void {
    const by = line.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    this.element.scrollTop += by - this.element.clientHeight / 4;
  }

  private mark({ pointer, kind }: Mark): void {
    const range = this.found && rangeOf(this.found, pointer);
    if (!range || (range[0] === 0 && pointer !== '')) return;
    for (let i = range[0]; i < range[1]; i++) {
      if (this.kinds[i] !== 'lost') this.kinds[i] = kind;
    }
  }

  /** Adds room for a block. */
  private addBlock(from: number): void {
    const block = el('div', { class: 'block' });
    block.style.minHeight = `${Math.min(blockLines, this.found!.lines.length - from) * lineHeight}px`;
    this.blocks.push(block);
    this.element.append(block);
    this.watcher!.observe(block);
  }

  /** Makes the lines of a block. */
  private make(b: number): void {
    const block = this.blocks[b];
    if (!block || block.childElementCount > 0) return;
    const from = b * blockLines;
    const rows = this.found!.lines.slice(from, from + blockLines).map((line, i) => (this.rows[from + i] = this.row(line, from + i)));
    block.append(...rows);
    block.style.minHeight = '';
    this.watcher!.unobserve(block);
  }

  private row(line: Line, i: number): HTMLElement {
    const kind = this.kinds[i];
    const code = el('code', {});
    code.style.paddingInlineStart = `${line.depth * 2}ch`;
    for (const token of tokensOf(line)) code.append(el('span', { class: `t-${token.kind}` }, beginning(token.text, longString)));
    const chunk = this.notes && line.depth === 1 && line.is !== 'end' ? el('span', { class: 'note' }, this.notes[this.chunkOf(line)] ?? '') : undefined;
    return el('div', { class: kind ? `line marked-${kind}` : 'line' }, chunk, code);
  }

  /** Returns the index of a line's value in the list that the document is. */
  private chunkOf(line: Line): number {
    return this.found!.root.members!.findIndex((member) => member.value === line.value);
  }
}

/** Returns a text, or its beginning with a button that shows more of it. */
function beginning(text: string, most: number): Node {
  const all = document.createDocumentFragment();
  if (text.length <= most) {
    all.append(...textNodes(text, piecesOfJSON));
    return all;
  }
  const at = cut(text, most);
  const rest = text.slice(at);
  const more: HTMLButtonElement = el('button', {
    type: 'button', class: 'more', onclick: () => more.replaceWith(beginning(rest, Math.max(longText, most))),
  }, `… ${plural(rest.length, 'more character')}`);
  all.append(...textNodes(text.slice(0, at), piecesOfJSON), more);
  return all;
}
