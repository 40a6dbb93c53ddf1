// Attempts and the chunks of both sides on one time axis.

import { el, fill } from './dom';
import * as format from './format';
import { JSONView } from './jsonview';
import { clientName, upstreamName } from './sides';
import type { Chunk, Detail, Side } from './types';

interface Event { at: number; side: Side; what: string; size: number; text: string; preview: string }

export function panel(d: Detail): HTMLElement {
  const events = eventsOf(d);
  const end = Math.max(1, d.summary.duration, ...events.map((e) => e.at), ...d.attempts.map((a) => a.at + a.duration + a.wait));
  const box = el('div', { class: 'timeline' }, axis(d, events, end));
  if (d.attempts.length > 0) box.append(attempts(d));
  if (!d.summary.bodies) {
    box.append(el('p', { class: 'state' }, 'Bodies were not being recorded. Turn on “Record bodies” and send it again.'));
  } else {
    box.append(table(d, events));
  }
  if (d.leftOut.chunks > 0) box.append(el('p', { class: 'warning' }, `${format.plural(d.leftOut.chunks, 'more chunk')} not recorded.`));
  return box;
}

function eventsOf(d: Detail): Event[] {
  const events: Event[] = [];
  const add = (at: number, side: Event['side'], what: string, text: string, size = text.length): void => {
    events.push({ at, side, what, size, text, preview: preview(text) });
  };
  if (d.client.request) add(d.client.request.at, 'client', 'request', d.client.request.body);
  d.tries.forEach((t, i) => {
    const which = d.tries.length > 1 ? ` ${i + 1}` : '';
    if (t.request) add(t.request.at, 'upstream', `request${which}`, t.request.body);
    if (t.response) add(t.response.at, 'upstream', `response${which}, ${t.response.status}`, t.response.body);
    t.chunks.forEach((c: Chunk, n) => add(c.at, 'upstream', `chunk ${n}`, c.data, c.size));
  });
  if (d.client.response) add(d.client.response.at, 'client', `response, ${d.client.response.status}`, d.client.response.body);
  d.client.chunks.forEach((c, n) => add(c.at, 'client', c.data.startsWith(':') ? 'heartbeat' : `chunk ${n}`, c.data, c.size));
  return events.map((e, i) => ({ e, i })).sort((a, b) => a.e.at - b.e.at || a.i - b.i).map(({ e }) => e);
}

/** Returns what a chunk says, of either side, shortly. */
function preview(text: string): string {
  try {
    const texts: string[] = [];
    const walk = (value: unknown, name: string): void => {
      if (typeof value === 'string') {
        if (['text', 'content', 'reasoning_content', 'arguments', 'refusal', 'message', 'delta', 'partial_json', 'thinking', 'input'].includes(name) && value !== '') texts.push(value);
      } else if (value && typeof value === 'object') {
        if ('name' in value && ('args' in value || 'arguments' in value || 'response' in value || 'input' in value)) texts.push(`${String(value.name)}()`);
        for (const [key, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? name : key);
      }
    };
    walk(JSON.parse(text), '');
    return texts.join(' ').replace(/\s+/g, ' ').slice(0, 160);
  } catch {
    return text.slice(0, 160);
  }
}

function axis(d: Detail, events: Event[], end: number): HTMLElement {
  const place = (element: HTMLElement, from: number, to = from): HTMLElement => {
    element.style.left = `${(from / end) * 100}%`;
    if (to > from) element.style.width = `${((to - from) / end) * 100}%`;
    return element;
  };
  const lane = (name: string, ...marks: HTMLElement[]): HTMLElement => el('div', { class: 'lane' }, el('span', { class: 'name' }, name), el('div', { class: 'track' }, ...marks));
  const tick = (e: Event): HTMLElement => place(el('i', { class: /^chunk/.test(e.what) ? 'tick' : 'tick strong', title: `${format.duration(e.at)}: ${e.what}, ${format.bytes(e.size)}` }), e.at);
  const calls = d.attempts.flatMap((a) => [
    place(el('i', { class: `bar ${a.status >= 200 && a.status < 300 ? 'good' : 'bad'}`, title: `attempt ${a.number}: ${a.status || 'no response'}, ${format.duration(a.duration)}` }), a.at, a.at + a.duration),
    a.wait > 0 ? place(el('i', { class: 'bar wait', title: `Waiting ${format.duration(a.wait)} (Retry-After)` }), a.at + a.duration, a.at + a.duration + a.wait) : null,
  ]).filter((e) => e !== null);
  const marks: HTMLElement[] = [];
  for (let i = 0; i <= 4; i++) {
    const mark = place(el('span', {}, format.duration((end * i) / 4)), (end * i) / 4);
    mark.className = i === 4 ? 'last' : '';
    marks.push(mark);
  }
  const first = d.summary.firstToken;
  return el('div', { class: 'axis', role: 'img', 'aria-label': `${format.plural(events.length, 'event')} within ${format.duration(end)}; the table below lists them` },
    lane('Attempts', ...calls),
    lane(upstreamName(d.summary), ...events.filter((e) => e.side === 'upstream').map(tick)),
    lane(clientName(d.summary), ...(first > 0 ? [place(el('i', { class: 'first', title: `first token after ${format.duration(first)}` }), first)] : []),
      ...events.filter((e) => e.side === 'client').map(tick)),
    el('div', { class: 'lane scale' }, el('span', { class: 'name' }), el('div', { class: 'track' }, ...marks)));
}

function attempts(d: Detail): HTMLElement {
  const rows = d.attempts.map((a) => el('tr', {},
    el('td', { class: 'num' }, a.number), el('td', {}, a.model), el('td', {}, a.account || '–'),
    el('td', {}, el('span', { class: `badge ${a.status >= 200 && a.status < 300 ? 'good' : 'bad'}` }, a.status || 'no response')),
    el('td', { class: 'num' }, format.duration(a.at)), el('td', { class: 'num' }, format.duration(a.duration)),
    el('td', { class: 'said' }, a.error, a.wait > 0 ? ` Retry after ${format.duration(a.wait)}.` : '')));
  return el('section', {}, el('h3', {}, 'Attempts'), scroller('Attempts', el('table', {},
    el('thead', {}, el('tr', {}, ...['#', 'Model', 'Account', 'Status', 'Started', 'Duration', 'Error'].map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows))));
}

function table(d: Detail, events: Event[]): HTMLElement {
  const name = (e: Event): string => (e.side === 'client' ? clientName(d.summary) : upstreamName(d.summary));
  const shown = el('div', { class: 'chosen' });
  const rows = events.slice(0, 2000).map((e) => el('tr', { class: e.side === 'client' ? 'from-client' : 'from-upstream' },
    el('td', { class: 'num' }, format.duration(e.at)), el('td', {}, name(e)),
    el('td', {}, e.text === '' ? e.what : el('button', {
      type: 'button', class: 'link', onclick: () => {
        fill(shown, el('h4', {}, `${name(e)}, ${e.what}, ${format.duration(e.at)}`), new JSONView(e.text, `${name(e)}, ${e.what}`).element);
        shown.scrollIntoView({ block: 'nearest' });
      },
    }, e.what)),
    el('td', { class: 'num' }, format.bytes(e.size)), el('td', { class: 'said' }, e.preview)));
  return el('section', {}, el('h3', {}, 'Events'), scroller('Events', el('table', {},
    el('thead', {}, el('tr', {}, ...['Time', 'Side', 'Event', 'Size', 'Preview'].map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows))), shown);
}

/** A table that is too wide moves within its frame. */
export function scroller(label: string, child: HTMLElement): HTMLElement {
  return el('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': label }, child);
}
