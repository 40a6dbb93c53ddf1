// What can be done with an exchange: copy it, save it, send it again, pin it. Each action that is not
// available says why.

import * as api from './api';
import { copy } from './clipboard';
import * as compare from './comparepick';
import { el } from './dom';
import { notify } from './notice';
import * as session from './session';
import { clientName, upstreamName } from './sides';
import type { Detail, Summary } from './types';

interface Action {
  id: string;
  label: string;
  /** Why it is not available. */
  not?: string;
  /** The address of a file, or what a click does. */
  does: string | (() => void);
  isPressed?: boolean;
}

/** Returns the buttons, and below them the reasons of those that are not available. */
export function panel(s: Summary, d: Detail | undefined, isDropped: boolean, replay: (d: Detail) => void): HTMLElement {
  const all = actions(s, d, isDropped, replay);
  const reasons = d ? [...new Set(all.flatMap((a) => a.not ?? []))] : [];
  const names = (reason: string): string => all.filter((a) => a.not === reason).map((a) => a.label.replace('…', '')).join(', ');
  return el('div', { class: 'action-box' },
    el('div', { class: 'actions' }, ...all.map((a) => button(a, reasons))),
    ...reasons.map((reason, i) => el('p', { class: 'reason', id: `reason-${i}` }, sentence(names(reason), reason))));
}

/** Says which actions are not available, and why, with one colon. */
function sentence(names: string, reason: string): string {
  const why = /^Unavailable: (.*)$/s.exec(reason)?.[1];
  return why === undefined ? `${names}: ${lower(reason)}` : `${names} ${names.includes(', ') ? 'are' : 'is'} unavailable: ${why}`;
}

/** Starts a reason that follows a colon in lower case, and leaves names as they are. */
const lower = (reason: string): string => (/^[A-Z][a-z]/.test(reason) ? reason[0].toLowerCase() + reason.slice(1) : reason);

function button(a: Action, reasons: string[]): HTMLElement {
  const attributes = { class: 'button', id: `do-${a.id}` };
  if (a.not === undefined && typeof a.does === 'string') return el('a', { ...attributes, href: a.does, download: '' }, a.label);
  const reason = a.not === undefined ? -1 : reasons.indexOf(a.not);
  return el('button', {
    ...attributes, type: 'button', disabled: a.not !== undefined, 'aria-describedby': reason >= 0 ? `reason-${reason}` : null,
    'aria-pressed': a.isPressed === undefined ? null : String(a.isPressed), onclick: typeof a.does === 'string' ? null : a.does,
  }, a.label);
}

const dropped = 'Unavailable: the request was dropped from the list.';

function actions(s: Summary, d: Detail | undefined, isDropped: boolean, replay: (d: Detail) => void): Action[] {
  const base = `/api/exchanges/${s.number}`;
  const not = (name: string): string | undefined => (isDropped ? dropped : d ? d.notes?.[name] : '');
  const curl = (side: string): void => void copy(api.get(`${base}/curl/${side}`), 'Command');
  const name = clientName(s);
  const client = name === 'Client' ? 'client' : name;
  // A body that is not complete can be completed by hand.
  const replayable = d?.canReplay && d.client.request ? undefined : (not('replay') ?? '');
  return [
    { id: 'curl-client', label: `Copy curl (${client})`, not: not('curl/client'), does: () => curl('client') },
    { id: 'curl-upstream', label: `Copy curl (${upstreamName(s)})`, not: not('curl/upstream'), does: () => curl('upstream') },
    { id: 'replay', label: 'Replay…', not: isDropped ? dropped : replayable, does: () => d && replay(d) },
    { id: 'compare', label: 'Compare…', not: isDropped ? dropped : undefined, does: () => compare.open(s) },
    { id: 'fixture', label: 'Download fixture', not: not('fixture'), does: `${base}/fixture` },
    { id: 'har', label: 'Download HAR', not: isDropped ? dropped : d ? undefined : '', does: `${base}/har` },
    { id: 'session', label: 'Download session', not: isDropped ? dropped : d ? undefined : '', does: session.address([s.number]) },
    {
      id: 'pin', label: s.pinned ? 'Unpin' : 'Pin', not: isDropped ? dropped : undefined, isPressed: s.pinned === true,
      does: () => void pin(s),
    },
  ];
}

/** Pins an exchange, so that it stays while others are dropped, or unpins it. */
async function pin(s: Summary): Promise<void> {
  try {
    await api.post(`/api/exchanges/${s.number}/pin`, { pinned: !s.pinned });
    notify(s.pinned ? 'Unpinned.' : 'Pinned. This request stays in the list until you unpin it.');
  } catch (error) {
    notify((error as Error).message, true);
  }
}
