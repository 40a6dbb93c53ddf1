// Attempts and the chunks of both sides on one time axis.

import { attemptsTable, scroller } from './attempts';
import { el } from './dom';
import { type Event, eventsOf, eventsTable } from './events';
import * as format from './format';
import { phasesPanel } from './phases';
import { type Call, callsOf } from './calls';
import { clientName, upstreamName } from './sides';
import type { Detail } from './types';

export function panel(d: Detail): HTMLElement {
  const events = eventsOf(d);
  const calls = callsOf(d);
  const end = Math.max(1, d.summary.duration, ...events.map((e) => e.at), ...calls.map((c) => c.to + c.wait));
  const box = el('div', { class: 'timeline' }, axis(d, events, calls, end), phasesPanel(d.summary));
  if (calls.length > 0) box.append(attemptsTable(calls));
  if (!d.summary.bodies) {
    box.append(el('p', { class: 'state' }, 'Bodies were not being recorded. Turn on “Record bodies” and send it again.'));
  } else {
    box.append(eventsTable(d, events));
  }
  if (d.leftOut.chunks > 0) box.append(el('p', { class: 'warning' }, `${format.plural(d.leftOut.chunks, 'more chunk')} not ${d.leftOut.busy ? 'kept: the inspector was busy' : 'recorded'}.`));
  return box;
}

function axis(d: Detail, events: Event[], calls: Call[], end: number): HTMLElement {
  const place = (element: HTMLElement, from: number, to = from): HTMLElement => {
    element.style.left = `${(from / end) * 100}%`;
    if (to > from) element.style.width = `${((to - from) / end) * 100}%`;
    return element;
  };
  const lane = (name: string, ...marks: HTMLElement[]): HTMLElement => el('div', { class: 'lane' }, el('span', { class: 'name' }, name), el('div', { class: 'track' }, ...marks));
  const tick = (e: Event): HTMLElement => place(el('i', { class: /^chunk/.test(e.what) ? 'tick' : 'tick strong', title: `${format.duration(e.at)}: ${e.what}, ${format.bytes(e.size)}` }), e.at);
  const scale = [0, 1, 2, 3, 4].map((i) => {
    const mark = place(el('span', {}, format.duration((end * i) / 4)), (end * i) / 4);
    mark.className = i === 4 ? 'last' : '';
    return mark;
  });
  const first = d.summary.firstToken;
  const words = calls.map((c) => `${c.label} from ${format.duration(c.from)} to ${format.duration(c.to)}${c.wait > 0 ? `, then ${waitOf(c)}` : ''}`);
  const label = [`${format.plural(events.length, 'event')} within ${format.duration(end)}`, ...words].join('; ');
  return el('div', { class: 'axis', role: 'img', 'aria-label': `${label}. The tables below list them` },
    lane('Attempts', ...calls.flatMap((c) => bars(c, place))),
    lane(upstreamName(d.summary), ...events.filter((e) => e.side === 'upstream').map(tick)),
    lane(clientName(d.summary), ...(first > 0 ? [place(el('i', { class: 'first', title: `First token after ${format.duration(first)}` }), first)] : []),
      ...events.filter((e) => e.side === 'client').map(tick)),
    el('div', { class: 'lane scale' }, el('span', { class: 'name' }), el('div', { class: 'track' }, ...scale)));
}

const waitOf = (c: Call): string => `waiting ${format.duration(c.wait)} before the retry`;

/** Draws a call, the mark of its first chunk, and the wait after it. */
function bars(c: Call, place: (element: HTMLElement, from: number, to?: number) => HTMLElement): HTMLElement[] {
  const look = c.isLookUp ? 'lookup' : c.isGood ? 'good' : 'bad';
  const title = `${c.label}: ${c.status || 'no response'}, ${format.duration(c.to - c.from)}`;
  const drawn = [place(el('i', { class: `bar ${look}`, title }, el('b', {}, c.isLookUp ? 'models' : c.status || '')), c.from, c.to)];
  if (c.firstChunk !== undefined) {
    drawn.push(place(el('i', { class: 'first-chunk', title: `First chunk after ${format.duration(c.firstChunk)}` }), c.firstChunk));
  }
  if (c.wait > 0) {
    drawn.push(place(el('i', { class: 'bar wait', title: waitOf(c) }, el('b', {}, `wait ${format.duration(c.wait)}`)), c.to, c.to + c.wait));
  }
  return drawn;
}

export { scroller };
