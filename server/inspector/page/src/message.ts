// A message of a conversation.

import { el } from './dom';
import * as parts from './parts';
import type { Finding, Side } from './types';
import type { Message, Part } from './types-talk';

/** Opens the raw JSON of a part. The id names the link that leads there. */
export type OpenRaw = (finding: Finding, id: string) => void;

export interface Shown {
  message: Message;
  id: string;
  side: Side;
  /** The results of calls, and all results that are drawn with their calls. */
  results: Map<Part, Part>;
  matched: Set<Part>;
  openRaw: OpenRaw;
}

const roles: Record<Message['role'], string> = {
  system: 'System', user: 'User', model: 'Model', tool: 'Tool',
};

/** Reports whether a message has more than results of earlier calls, which stand with these. */
export const hasOwnParts = ({ message, matched }: Shown): boolean =>
  message.parts.length === 0 || message.parts.some((part) => !matched.has(part));

/** Draws a message. */
export function draw(of: Shown): HTMLElement {
  const { role, parts: all } = of.message;
  const drawn = all.flatMap((part, i) => (of.matched.has(part) ? [] : [box(of, part, i)]));
  const heading = el('h4', { tabindex: -1 }, roles[role] ?? role);
  return el('li', { class: `message ${role}` }, heading, ...drawn);
}

function box(of: Shown, part: Part, i: number): HTMLElement {
  const link = (p: Part): HTMLElement | null =>
    links(p, `raw-${of.id}-${i + 1}${p === part ? '' : '-result'}`, of);
  const place = `${of.id.replace('-', ' ')}.${i + 1}`;
  if (part.kind !== 'call') return parts.draw(part, place, link);
  return parts.callBox(part, of.results.get(part), place, of.side === 'upstream', link);
}

/** Makes the links of a part: to its raw JSON, and the short hash of its signature. */
function links(part: Part, id: string, of: Shown): HTMLElement | null {
  const badge = { class: 'badge', title: 'Short hash of the thought signature' };
  const signature = part.signature
    ? el('span', badge, `signed ${part.signature.slice(0, 8)}`) : null;
  const raw = {
    type: 'button', class: 'link', id, 'aria-label': `Raw JSON of: ${parts.nameOf(part)}`,
    onclick: () => of.openRaw(place(part, of.side), id),
  };
  const hasPlace = typeof part.gemini === 'string' || typeof part.client === 'string';
  if (!hasPlace && !signature) return null;
  return el('p', { class: 'links' }, signature, hasPlace ? el('button', raw, 'raw') : null);
}

/** Returns where a part stands on both sides, in the form in which the panes select. */
function place(part: Part, side: Side): Finding {
  const [client, gemini] = [part.client ?? undefined, part.gemini ?? undefined];
  const [here, there] = side === 'client' ? [client, gemini] : [gemini, client];
  return { side, kind: 'added', pointer: here ?? there ?? '', detail: '', here, there };
}
