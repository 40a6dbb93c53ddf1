// The header fields of a request that is sent again.

import { el } from './dom';
import type { Field } from './types';

/** Fields that belong to a connection or a browser; a replay has its own. */
const own = new RegExp('^(?:host|connection|content-(?:length|type|encoding)|accept-encoding|' +
  'transfer-encoding|keep-alive|te|trailer|upgrade|origin|referer|sec-fetch-.*|' +
  'x-request-id|x-stainless-retry-count)$', 'i');

const redacted = 'Credentials are redacted; the gateway uses its own.';

/** Edits header fields. A field that is removed or emptied is not sent. */
export class HeaderEditor {
  readonly element: HTMLElement;
  private readonly rows = el('div', {});
  private readonly before: Field[];

  constructor(fields: Field[]) {
    this.before = joined(fields.filter((f) => !own.test(f.name)));
    for (const field of this.before) this.add(field);
    const add = { type: 'button', class: 'small', onclick: () => this.addEmpty() };
    this.element = el('details', { class: 'fields' },
      el('summary', {}, `Headers (${this.before.length})`), el('p', { class: 'quiet' }, redacted),
      this.rows, el('button', add, 'Add a header'));
  }

  /** Returns the fields that differ from the request. Removed fields are empty. */
  changes(): Record<string, string> {
    const now = new Map<string, string>();
    for (const row of this.rows.children) {
      const [name, value] = [...row.querySelectorAll('input')].map((input) => input.value.trim());
      if (name !== '') now.set(name, value);
    }
    const changed: Record<string, string> = {};
    for (const { name } of this.before) if (!now.has(name)) changed[name] = '';
    for (const [name, value] of now) {
      const had = this.before.find((f) => f.name === name);
      if (had?.value.trim() !== value) changed[name] = value;
    }
    return changed;
  }

  private addEmpty(): void {
    this.add({ name: '', value: '' }).focus();
  }

  private add({ name, value }: Field): HTMLInputElement {
    const of = name || 'the header';
    const input = (label: string, text: string): HTMLInputElement => el('input', {
      type: 'text', 'aria-label': label, value: text, spellcheck: 'false', autocomplete: 'off',
    });
    const first = input('Name of the header', name);
    const remove = {
      type: 'button', class: 'small', 'aria-label': `Remove ${of}`, onclick: () => row.remove(),
    };
    const row = el('div', { class: 'field' },
      first, input(`Value of ${of}`, value), el('button', remove, '✕'));
    this.rows.append(row);
    return first;
  }
}

/** Joins the values of fields that are sent more than once. */
function joined(fields: Field[]): Field[] {
  const values = new Map<string, string>();
  for (const { name, value } of fields) {
    const had = values.get(name);
    values.set(name, had === undefined ? value : `${had}, ${value}`);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}
