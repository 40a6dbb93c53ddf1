// Thought signatures followed from turn to turn.

import { el, fill } from './dom';
import * as format from './format';
import * as links from './links';
import { conversationOf } from './strip';
import { number, table, text } from './tables';
import type { Detail } from './types';
import type { Conversation, FollowedSignature, Step } from './types-talk';

/** Shows what became of each signature of a conversation. It is empty without a conversation. */
export function following(d: Detail): HTMLElement {
  const label = 'Signatures over the conversation';
  const place = el('section', { class: 'following', 'aria-label': label });
  conversationOf(d).then((found) => {
    const has = found && (found.signatures ?? []).length > 0;
    if (has) fill(place, ...draw(found, d.summary.number));
  }, (error: Error) => {
    const wrong = `The other turns are not available: ${error.message}`;
    fill(place, el('p', { class: 'warning' }, wrong));
  });
  return place;
}

const columns = [text('Signature'), number('Size'), text('Seen in'), text('Came back')];

function draw(found: Conversation, current: number): HTMLElement[] {
  const turns = new Map(found.exchanges.map((t, i) => [t.number, i + 1]));
  const newest = found.exchanges.at(-1)?.number ?? 0;
  const rows = found.signatures.map((s) => [
    el('code', {}, s.hash.slice(0, 8)), format.bytes(s.size),
    el('ol', {}, ...s.steps.map((step) => item(step, turns.get(step.number), current))),
    fate(s, newest),
  ]);
  return [el('h3', {}, 'From turn to turn'), table('From turn to turn', columns, rows)];
}

function item(step: Step, turn: number | undefined, current: number): HTMLElement {
  const way = step.side === 'upstream' ? 'from Gemini' : 'from the client';
  const label = `${turn ? `Turn ${turn}` : `#${step.number}`} ${way}`;
  const look = { sentinel: 'warn', none: 'bad' }[step.carrier] ?? '';
  const carrier = el('span', { class: `badge ${look}`, title: step.pointer }, step.carrier === 'sentinel' ? 'placeholder' : step.carrier);
  const href = links.request(step.number, 'signatures');
  const name = step.number === current ? el('strong', {}, label) : el('a', { href }, label);
  return el('li', {}, name, ' ', carrier);
}

/** Says whether the client sent a signature back. */
function fate(s: FollowedSignature, newest: number): HTMLElement {
  const badge = (look: string, name: string): HTMLElement =>
    el('span', { class: `badge ${look}` }, name);
  const cameBack = s.steps.some((step) => step.side === 'client' && step.carrier !== 'sentinel');
  if (cameBack) return badge('good', 'yes');
  const given = s.steps.find((step) => step.side === 'upstream');
  if (given && given.number >= newest) return badge('', 'no turn after it yet');
  return badge('bad', 'no');
}
