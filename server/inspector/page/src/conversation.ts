// An exchange as a conversation: its messages, and the answer put together.

import * as apiTalk from './api-talk';
import { el, fill } from './dom';
import * as format from './format';
import * as message from './message';
import { resultsOf } from './pairs';
import { strip } from './strip';
import type { Detail, Side } from './types';
import type { Message, Talk } from './types-talk';

/** Of a longer conversation only the last messages are shown at first. */
const shownAtFirst = 8;
/** This many older messages are drawn at a click. */
const step = 100;

type OpenRaw = message.OpenRaw;

/** The conversation that was read last, so that coming back to it shows it at once. */
let last: { number: number; running: boolean; talk: Talk } | undefined;

const noBodies = 'Bodies were not being recorded. Turn on “Record bodies” and send it again.';

/** Shows the messages of an exchange and its answer. */
export function panel(d: Detail, openRaw: OpenRaw): HTMLElement {
  const messages = el('div', { class: 'talk-body' });
  const turns = el('div', { class: 'talk-turns' });
  if (!d.summary.bodies) {
    fill(messages, el('p', { class: 'state' }, noBodies));
  } else {
    void strip(d, turns);
    show(d, messages, (talk) => draw(talk, openRaw));
  }
  return el('div', { class: 'talk' }, turns, messages);
}

/** Shows the answer of a stream put together. */
export function answerPanel(d: Detail, openRaw: OpenRaw): HTMLElement {
  const box = el('div', { class: 'talk put-together' });
  if (d.summary.bodies) show(d, box, (talk) => [answer(talk, openRaw)]);
  return box;
}

/** Reads the conversation and draws it. The last conversation is drawn at once. */
function show(d: Detail, place: HTMLElement, drawn: (talk: Talk) => HTMLElement[]): void {
  const { number, running } = d.summary;
  const isKnown = last?.number === number;
  if (isKnown) fill(place, ...drawn(last!.talk));
  else fill(place, el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
  if (isKnown && !last!.running) return;
  apiTalk.talk(number).then((talk) => {
    last = { number, running, talk };
    fill(place, ...drawn(talk));
  }, (error: Error) => {
    const again = { type: 'button', onclick: () => show(d, place, drawn) };
    fill(place, el('div', { class: 'state', role: 'alert' },
      el('p', {}, error.message), el('button', again, 'Try again')));
  });
}

function draw(talk: Talk, openRaw: OpenRaw): HTMLElement[] {
  const note = talk.note ? [el('p', { class: 'warning' }, talk.note)] : [];
  const messages = shownOf(talk.messages, 'client', openRaw);
  if (messages.length === 0 && (talk.answer ?? []).length === 0) {
    const none = el('p', { class: 'state' }, 'This request has no messages.');
    return note.length > 0 ? note : [none];
  }
  const shown = el('ol', { class: 'messages', 'aria-label': 'Messages' }, ...folded(messages));
  return [...note, shown, answer(talk, openRaw)];
}

/** Returns the messages that stand for themselves. Results of calls stand with their calls. */
function shownOf(all: Message[] | null, side: Side, openRaw: OpenRaw): message.Shown[] {
  const messages = all ?? [];
  const name = side === 'client' ? 'message' : 'answer';
  const results = resultsOf(messages);
  const matched = new Set(results.values());
  return messages
    .map((m, i) => ({ message: m, id: `${name}-${i + 1}`, side, results, matched, openRaw }))
    .filter(message.hasOwnParts);
}

/** Draws messages. Of many, the older ones are drawn at a click. The system's stay. */
function folded(all: message.Shown[]): HTMLElement[] {
  const first = all[0]?.message.role === 'system' ? 1 : 0;
  const hidden = all.slice(first, -shownAtFirst);
  if (hidden.length < 3) return all.map(message.draw);
  const button = el('button', { type: 'button', onclick: () => open() });
  const more = el('li', { class: 'earlier' }, button);
  const name = (): void => {
    const count = format.plural(hidden.length, 'earlier message');
    button.textContent = hidden.length > step ? `Show ${step} of ${count}` : `Show ${count}`;
  };
  const open = (): void => {
    const drawn = hidden.splice(-step).map(message.draw);
    more.after(...drawn);
    drawn[0].querySelector<HTMLElement>('h4')?.focus();
    if (hidden.length === 0) more.remove();
    else name();
  };
  name();
  const last = all.slice(-shownAtFirst).map(message.draw);
  return [...all.slice(0, first).map(message.draw), more, ...last];
}

function answer(talk: Talk, openRaw: OpenRaw): HTMLElement {
  const messages = shownOf(talk.answer, 'upstream', openRaw);
  const facts = factsOf(talk);
  return el('section', { class: 'answer', 'aria-label': 'Answer' },
    el('h3', {}, 'Answer'),
    messages.length > 0 ? el('ol', { class: 'messages' }, ...messages.map(message.draw))
      : el('p', { class: 'quiet' }, 'There is no answer.'),
    facts.length > 0 ? el('p', { class: 'quiet' }, facts.join(' · ')) : null);
}

function factsOf({ finish, usage }: Talk): string[] {
  const facts = finish ? [`Finish reason ${finish}`] : [];
  if (!usage || usage.total === 0) return facts;
  const { input, output, cached, thinking } = usage;
  facts.push(`${format.count(input)} tokens in, ${format.count(output)} out`);
  if (cached > 0) facts.push(`${format.count(cached)} of the input from the cache`);
  if (thinking > 0) facts.push(`${format.count(thinking)} of the output are thoughts`);
  return facts;
}

/** Makes the way back from the raw JSON. */
export function back(goBack: () => void): HTMLElement {
  const button = { type: 'button', id: 'back-to-conversation', onclick: goBack };
  return el('p', { class: 'way-back' }, el('button', button, '← Back to the conversation'));
}

/** Puts the focus on the link from which one went to the raw JSON. */
export function focusLink(id: string): void {
  const more = (): HTMLElement | null => document.querySelector('.earlier button');
  while (!document.getElementById(id) && more()) more()!.click();
  const link = document.getElementById(id);
  link?.scrollIntoView({ block: 'center' });
  link?.focus();
}
