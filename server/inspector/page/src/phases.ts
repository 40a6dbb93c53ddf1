// How the duration of a request is spent, as a bar.

import { el } from './dom';
import * as format from './format';
import type { Phases, Summary } from './types';

interface Phase { id: keyof Phases; name: string }

const phases: Phase[] = [
  { id: 'gateway', name: 'gateway' },
  { id: 'lookUp', name: 'look-up of models' },
  { id: 'room', name: 'waiting for room' },
  { id: 'backoff', name: 'waiting to retry' },
  { id: 'firstToken', name: 'waiting for the first token' },
  { id: 'generation', name: 'generation' },
];

/** Returns the phases of an exchange, or what its time to the first token says of them. */
function phasesOf(s: Summary): Phases {
  const first = s.firstToken > 0 ? s.firstToken : s.duration;
  return s.phases ?? { gateway: 0, room: 0, backoff: 0, firstToken: first, generation: s.duration - first };
}

/** Draws a bar of the phases, as long as the duration is of the longest one. */
export function phasesBar(s: Summary, longest: number): HTMLElement {
  const of = phasesOf(s);
  const bar = el('span', { class: 'phases', role: 'img', title: inWords(of), 'aria-label': inWords(of) });
  for (const { id, time } of spent(of)) {
    const part = el('i', { class: `p-${id}` });
    part.style.width = `${Math.min(100, (time / Math.max(longest, 1)) * 100)}%`;
    bar.append(part);
  }
  return bar;
}

const inWords = (of: Phases): string => spent(of)
  .map(({ name, time }) => `${name} ${format.duration(time)}`).join(', ') || 'no time';

/** Returns the phases that took time. */
const spent = (of: Phases): { id: string; name: string; time: number }[] =>
  phases.map(({ id, name }) => ({ id, name, time: of[id] ?? 0 })).filter(({ time }) => time > 0);

/** Draws the bar of one exchange with the names of its phases. */
export function phasesPanel(s: Summary): HTMLElement | null {
  if (s.running || s.duration <= 0) return null;
  const of = phasesOf(s);
  return el('section', { class: 'phases-panel' }, el('h3', {}, 'Where the time went'), phasesBar(s, s.duration),
    el('ul', {}, ...spent(of).map(({ id, name, time }) =>
      el('li', {}, el('i', { class: `p-${id}` }), ` ${name} `, el('strong', {}, format.duration(time))))));
}
