// What happened in an exchange, in its order.

import { scroller } from './attempts';
import { el, fill } from './dom';
import * as format from './format';
import { JSONView } from './jsonview';
import { clientName, upstreamName } from './sides';
import type { Chunk, Detail, Side } from './types';

export interface Event { at: number; side: Side; what: string; size: number; text: string; preview: string }

export function eventsOf(d: Detail): Event[] {
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

export function eventsTable(d: Detail, events: Event[]): HTMLElement {
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
