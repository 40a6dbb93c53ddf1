// The parts of messages. All texts of clients and models become text nodes; Markdown stays as it
// was written.

import { el, fill } from './dom';
import * as format from './format';
import { JSONView } from './jsonview';
import * as media from './media';
import { hasFailed } from './pairs';
import type { Part } from './types-talk';

/** Of a longer text only the beginning is shown at first. */
const longText = 6000;

/** Makes the links of a part. */
export type Links = (part: Part) => HTMLElement | null;

const names: Record<Part['kind'], string> = {
  text: 'Text', thinking: 'Thoughts', call: 'Call', result: 'Result', media: 'File',
  code: 'Code that the model ran', code_result: 'Output of the code', search: 'Search',
  other: 'Other',
};

/** Returns the name of a part. */
export const nameOf = (part: Part): string =>
  [names[part.kind] ?? part.kind, part.name].filter(Boolean).join(' ');

/** Draws a part. Calls are drawn by callBox, with their results. The place names it on the page. */
export function draw(part: Part, place: string, links: Links): HTMLElement {
  const body = content(part, place);
  if (part.kind === 'thinking' || part.thought) {
    const size = part.text ? `, ${format.plural(part.text.length, 'character')}` : '';
    const title = part.kind === 'thinking' ? `Thoughts${size}` : `Thoughts: ${nameOf(part)}`;
    const folded = el('details', {}, el('summary', {}, title), body);
    return el('div', { class: 'part thinking' }, folded, links(part));
  }
  const isPlain = part.kind === 'text' || part.kind === 'media';
  const title = isPlain ? null : el('h5', {}, nameOf(part));
  return el('div', { class: `part ${part.kind}` }, title, body, links(part));
}

/** Draws a call next to its result. */
export function callBox(
  call: Part, result: Part | undefined, place: string, inAnswer: boolean, links: Links,
): HTMLElement {
  const failed = result !== undefined && hasFailed(result);
  const missing = inAnswer
    ? 'The client sends the result with the next turn.'
    : 'This request has no result of the call.';
  const badge = failed ? el('span', { class: 'badge bad' }, 'failed') : null;
  return el('div', { class: 'part pair' },
    el('div', { class: 'call' },
      el('h5', {}, 'Call ', el('code', {}, call.name ?? '')), content(call, place), links(call)),
    el('div', { class: failed ? 'result failed' : 'result' },
      el('h5', {}, 'Result ', badge),
      result ? content(result, place) : el('p', { class: 'quiet' }, missing),
      result ? links(result) : null));
}

function content(part: Part, place: string): HTMLElement {
  if (part.kind === 'media') return media.figure(part);
  if (part.json) {
    const view = new JSONView(part.json, `${nameOf(part)}, ${place}`).element;
    return part.text ? el('div', {}, text(part.text, 'div', 'text'), view) : view;
  }
  const isCode = part.kind === 'code' || part.kind === 'code_result';
  if (isCode) return text(part.text ?? '', 'pre', 'code');
  if (part.kind === 'call') return el('p', { class: 'quiet' }, 'No arguments.');
  if (!part.text && part.signature) return el('p', { class: 'quiet' }, 'A thought signature without text.');
  return text(part.text ?? '', 'div', 'text');
}

/** Shows a text as it was written. */
function text(value: string, tag: 'pre' | 'div', look: string): HTMLElement {
  if (value === '') return el('p', { class: 'quiet' }, 'No text.');
  const element = el(tag, { class: look, dir: 'auto' }, value.slice(0, longText));
  if (value.length <= longText) return element;
  const all = (): void => {
    fill(element, value);
    more.remove();
  };
  const more: HTMLElement = el('button', { type: 'button', class: 'small', onclick: all },
    `Show ${format.plural(value.length - longText, 'more character')}`);
  return el('div', {}, element, more);
}
