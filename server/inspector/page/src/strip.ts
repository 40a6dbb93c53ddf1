// The requests of one conversation as a strip of turns.

import * as apiTalk from './api-talk';
import { el, fill } from './dom';
import * as format from './format';
import * as links from './links';
import type { Detail } from './types';
import type { Conversation, Turn } from './types-talk';

/** The conversation that was read last, and for which exchange. */
let last: { id: string; number: number; found: Promise<Conversation> } | undefined;

/** Returns the conversation of an exchange, or undefined when it has none. */
export async function conversationOf(d: Detail): Promise<Conversation | undefined> {
  const { conversation: id, number, running } = d.summary;
  if (!id) return undefined;
  if (last?.id !== id || last.number !== number || running) {
    last = { id, number, found: apiTalk.conversation(id) };
  }
  try {
    return await last.found;
  } catch (error) {
    last = undefined;
    throw error;
  }
}

/** Draws the turns of an exchange's conversation. A single request has no strip. */
export async function strip(d: Detail, place: HTMLElement): Promise<void> {
  try {
    const found = await conversationOf(d);
    if (!found || found.exchanges.length < 2) return;
    fill(place, draw(found.exchanges, d.summary.number));
    const current = place.querySelector<HTMLElement>('[aria-current]');
    const list = place.querySelector('ol');
    if (current && list) list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
  } catch (error) {
    const wrong = `The other turns are not available: ${(error as Error).message}`;
    fill(place, el('p', { class: 'warning' }, wrong));
  }
}

function draw(turns: Turn[], current: number): HTMLElement {
  const at = turns.findIndex((t) => t.number === current);
  const step = (label: string, to: Turn | undefined): HTMLElement | null =>
    (to ? el('a', { class: 'button small', href: addressOf(to) }, label) : null);
  const list = { tabindex: 0, role: 'list', 'aria-label': 'Turns' };
  const title = at < 0
    ? `${turns.length} requests of this conversation `
    : `Turn ${at + 1} of ${turns.length} of this conversation `;
  return el('nav', { class: 'turns', 'aria-label': 'Requests of this conversation' },
    el('p', {}, title, step('Previous turn', turns[at - 1]),
      step('Next turn', at < 0 ? undefined : turns[at + 1])),
    el('ol', list, ...turns.map((turn, i) => item(turn, i, current))));
}

const addressOf = (turn: Turn): string => links.request(turn.number, 'conversation');

function item(turn: Turn, i: number, current: number): HTMLElement {
  const isRunning = turn.running || turn.status === 0;
  const status = isRunning ? 'running' : String(turn.status);
  const { tokens, cost, preview } = turn;
  const facts = [
    format.time(turn.at), turn.model,
    tokens?.total > 0 ? `${format.short(tokens.input)} → ${format.short(tokens.output)} tokens` : '',
    cost ? format.money(cost.amount, cost.currency) : '', preview,
  ].filter(Boolean).join(' · ');
  const link = {
    href: addressOf(turn), title: facts, 'aria-current': turn.number === current ? 'true' : null,
  };
  const heard = (text: string): HTMLElement => el('span', { class: 'hidden' }, text);
  const badge = el('span', { class: `badge ${look(turn, isRunning)}` }, status);
  const name = el('span', {}, heard('Turn '), i + 1, ' ');
  return el('li', {}, el('a', link, name, badge, heard(` ${facts}`)));
}

function look({ status, failure }: Turn, isRunning: boolean): string {
  if (isRunning) return 'running';
  if (status >= 500 || (status < 400 && failure)) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
