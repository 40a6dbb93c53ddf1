// Completions of a query: a combobox with a list, by the pattern of the ARIA practices.

import * as api from './api';
import { el, fill } from './dom';
import type { Completion } from './types';

const pause = 120;

export class Completions {
  private readonly list = el('ul', { id: 'completions', role: 'listbox', class: 'completions', 'aria-label': 'Completions', hidden: true });
  private shown: Completion[] = [];
  private active = -1;
  private timer = 0;
  private asked = 0;

  constructor(private readonly input: HTMLInputElement, private readonly enter: (query: string) => void) {
    input.after(this.list);
    for (const [name, value] of Object.entries({
      role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': 'completions',
    })) input.setAttribute(name, value);
    input.addEventListener('input', () => this.later());
    input.addEventListener('keydown', (event) => this.key(event));
    input.addEventListener('blur', () => this.close());
  }

  private later(): void {
    clearTimeout(this.timer);
    this.active = -1; // The list is of an earlier query.
    this.input.removeAttribute('aria-activedescendant');
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    const asked = ++this.asked;
    const query = this.input.value;
    const at = this.input.selectionStart ?? query.length;
    try {
      const found = await api.completions(query, at);
      if (asked !== this.asked || document.activeElement !== this.input) return;
      this.open(found ?? []);
    } catch {
      this.close(); // A server without a search has no completions.
    }
  }

  private open(found: Completion[]): void {
    this.shown = found.slice(0, 12);
    this.active = -1;
    fill(this.list, ...this.shown.map((completion, i) => el('li', {
      role: 'option', id: `completion-${i}`, 'aria-selected': 'false',
      // The input must keep the focus.
      onmousedown: (event) => event.preventDefault(),
      onclick: () => this.choose(i),
    }, el('code', {}, completion.label || completion.text), completion.detail ? el('span', { class: 'quiet' }, completion.detail) : null)));
    this.list.hidden = this.shown.length === 0;
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    this.input.removeAttribute('aria-activedescendant');
  }

  private close(): void {
    clearTimeout(this.timer);
    this.asked++;
    this.open([]);
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' && this.list.hidden) void this.ask();
    else if (this.list.hidden) return;
    else if (event.key === 'ArrowDown') this.move(1);
    else if (event.key === 'ArrowUp') this.move(-1);
    else if (event.key === 'Escape') this.close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && this.active >= 0) this.choose(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private move(by: number): void {
    const count = this.shown.length;
    this.active = this.active < 0 && by < 0 ? count - 1 : (this.active + by + count) % count;
    [...this.list.children].forEach((option, i) => option.setAttribute('aria-selected', String(i === this.active)));
    this.list.children[this.active]?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', `completion-${this.active}`);
  }

  /** Puts a completion in the place of the word that it completes. */
  private choose(i: number): void {
    const { text, from, to } = this.shown[i];
    const { value } = this.input;
    const rest = value.slice(to);
    const space = /[:=<>]$/.test(text) || rest.startsWith(' ') ? '' : ' ';
    this.input.value = value.slice(0, from) + text + space + rest;
    const end = from + text.length + space.length;
    this.input.setSelectionRange(end, end);
    this.close();
    this.enter(this.input.value);
    if (space === '') this.later(); // Values follow a name such as "status:".
  }
}
