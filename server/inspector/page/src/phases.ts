// How the duration of a request is spent, as a bar.

import { el } from './dom';
import * as format from './format';
import type { Phases, Summary } from './types';

interface Phase { id: keyof Phases; name: string }

const phases: Phase[] = [
  { id: 'gateway', name: 'gateway' },
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
  for (const { id } of phases) {
    if (of[id] <= 0) continue;
    const part = el('i', { class: `p-${id}` });
    part.style.width = `${Math.min(100, (of[id] / Math.max(longest, 1)) * 100)}%`;
    bar.append(part);
  }
  return bar;
}

const inWords = (of: Phases): string => phases.filter(({ id }) => of[id] > 0)
  .map(({ id, name }) => `${name} ${format.duration(of[id])}`).join(', ') || 'no time';

/** Draws the bar of one exchange with the names of its phases. */
export function phasesPanel(s: Summary): HTMLElement | null {
  if (s.running || s.duration <= 0) return null;
  const of = phasesOf(s);
  return el('section', { class: 'phases-panel' }, el('h3', {}, 'Where the time went'), phasesBar(s, s.duration),
    el('ul', {}, ...phases.filter(({ id }) => of[id] > 0).map(({ id, name }) =>
      el('li', {}, el('i', { class: `p-${id}` }), ` ${name} `, el('strong', {}, format.duration(of[id]))))));
}
