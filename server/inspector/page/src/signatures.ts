// What became of each thought signature.

import { el } from './dom';
import * as format from './format';
import { scroller } from './timeline';
import type { Detail, Signature } from './types';

const carriers: Record<string, string> = {
  extension: 'in extra_content.google.thought_signature',
  thought: 'in a reasoning item or thinking block in front of what it signs',
  id: 'within the id of the tool call',
  memory: 'kept by the gateway; the id of the call names it',
  sentinel: 'did not come back: Google’s documented word stands in its place',
  native: 'passed through as it is',
  none: 'lost: the client’s form has no place for it',
};

const looks: Record<string, string> = { sentinel: 'warn', none: 'bad' };

export function panel(d: Detail): HTMLElement {
  if (!d.summary.bodies) return el('p', { class: 'state' }, 'Signatures are followed only while bodies are kept. Turn on “Keep bodies” above, and send it again.');
  if (d.signatures.length === 0) return el('p', { class: 'state' }, 'No thought signatures in this request or its answer.');
  const row = (s: Signature): HTMLElement => el('tr', {},
    el('td', {}, s.side === 'upstream' ? 'Gemini → client' : 'client → Gemini'),
    el('td', {}, el('span', { class: `badge ${looks[s.carrier] ?? 'good'}` }, s.carrier)),
    el('td', {}, carriers[s.carrier] ?? ''), el('td', {}, el('code', {}, s.pointer)), el('td', { class: 'num' }, format.bytes(s.size)));
  return el('div', {},
    el('p', { class: 'quiet' }, 'Gemini signs its thoughts and wants the signatures back in the next turn. Places are those in Gemini’s JSON.'),
    scroller('Signatures', el('table', {},
      el('thead', {}, el('tr', {}, ...['Way', 'Carrier', 'How it travels', 'Place', 'Size'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, ...d.signatures.map(row)))),
    d.leftOut.signatures > 0 ? el('p', { class: 'warning' }, `${format.plural(d.leftOut.signatures, 'more signature')} came and are not kept.`) : null);
}
