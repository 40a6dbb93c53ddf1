// Shows how each thought signature travelled.

import { el } from './dom';
import { following } from './following';
import * as format from './format';
import { scroller } from './attempts';
import type { Detail, Signature } from './types';

const carriers: Record<string, string> = {
  extension: 'in extra_content.google.thought_signature',
  thought: 'in the reasoning item or thinking block before the part it signs',
  id: 'in the id of the tool call',
  memory: 'held by the gateway, looked up by call ID',
  sentinel: 'Missing – the client did not return it; gemwire sent Google’s documented placeholder',
  native: 'passed through unchanged',
  none: 'lost: the client’s API has no field for it',
};

const looks: Record<string, string> = { sentinel: 'warn', none: 'bad' };

/** Returns how a signature travelled in one word. */
export const carrierName = (carrier: string): string => (carrier === 'sentinel' ? 'placeholder' : carrier);

export function panel(d: Detail): HTMLElement {
  if (!d.summary.bodies) return el('p', { class: 'state' }, 'Signatures are recorded only with bodies. Turn on “Record bodies” and send it again.');
  if (d.signatures.length === 0) return el('div', {}, el('p', { class: 'state' }, 'No thought signatures in this request or its answer.'), following(d));
  const row = (s: Signature): HTMLElement => el('tr', {},
    el('td', {}, s.side === 'upstream' ? 'Gemini → client' : 'client → Gemini'),
    el('td', {}, el('span', { class: `badge ${looks[s.carrier] ?? 'good'}` }, carrierName(s.carrier))),
    el('td', {}, carriers[s.carrier] ?? ''), el('td', {}, el('code', {}, s.pointer)), el('td', { class: 'num' }, format.bytes(s.size)));
  return el('div', {},
    el('p', { class: 'quiet' }, 'Gemini signs its thoughts and expects the signatures back on the next turn. Paths refer to Gemini’s JSON.'),
    scroller('Signatures', el('table', {},
      el('thead', {}, el('tr', {}, ...['Direction', 'Method', 'Carried in', 'JSON path', 'Size'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, ...d.signatures.map(row)))),
    d.leftOut.signatures > 0 ? el('p', { class: 'warning' }, `${format.plural(d.leftOut.signatures, 'more signature')} not recorded.`) : null,
    following(d));
}
