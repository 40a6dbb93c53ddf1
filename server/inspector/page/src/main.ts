// The page: exchanges come by server-sent events, the list and the drawings show them, the address says which is open.

import * as api from './api';
import * as chart from './chart';
import { DetailView } from './detail';
import * as dialogs from './dialogs';
import { byId, el, say } from './dom';
import * as filter from './filter';
import * as format from './format';
import * as jobs from './jobs';
import { List } from './list';
import { notify } from './notice';
import type { News, Summary } from './types';

// The token of the address has been used; it need not stand in it.
if (location.search) history.replaceState(null, '', location.pathname + location.hash);

const exchanges = new Map<number, Summary>();
let state: News | undefined;
let connection: api.Connection = 'connecting';
let drawing = 0;

const list = new List((number) => open(number));
const view = new DetailView(() => open(0), (number) => open(number));

const selected = (): number => Number(location.hash.slice(1)) || 0;

/** Opens an exchange, or none. */
function open(number: number): void {
  if (number === selected()) return;
  if (number > 0) location.hash = String(number);
  else history.pushState(null, '', location.pathname);
  if (number === 0) navigated();
}

function navigated(): void {
  if (jobs.isOpen()) return;
  const number = selected();
  const s = exchanges.get(number);
  byId('main').classList.toggle('split', s !== undefined);
  if (s) {
    void view.show(s).then(() => view.focus());
  } else {
    view.hide();
    if (number > 0 && state) notify(`This request was dropped (only the newest ${format.count(state.maxExchanges)} are kept).`, true);
  }
  draw();
  if (!s) list.focus();
}

function onNews(news: News, isFirst: boolean): void {
  if (isFirst) exchanges.clear();
  for (const s of news.exchanges) exchanges.set(s.number, s);
  for (const number of exchanges.keys()) if (number < news.oldest) exchanges.delete(number);
  const known = state !== undefined;
  state = news;
  byId<HTMLInputElement>('bodies').checked = news.bodies;
  drawing ||= requestAnimationFrame(draw);
  const open = exchanges.get(selected());
  if (!known && selected() > 0) navigated();
  else if (open && news.exchanges.includes(open)) void view.show(open);
  else if (!open && selected() > 0) view.hide();
}

function draw(): void {
  drawing = 0;
  const f = filter.current();
  filter.offerModels(exchanges.values());
  const shown = [...exchanges.values()].filter((s) => filter.matches(f, s)).sort((a, b) => b.number - a.number);
  list.show(shown, selected(), nothing(f, shown.length));
  chart.draw(shown);
}

/** Returns why the list is empty, undefined when it is not. */
function nothing(f: filter.Filter, shown: number): Node | undefined {
  if (shown > 0) return undefined;
  if (!state) return el('p', { class: 'loading' }, connection === 'connecting' ? 'Loading…' : 'Waiting for the gateway…');
  if (!filter.isEmpty(f) && exchanges.size > 0) {
    return el('div', {}, el('p', {}, `No matches in ${format.plural(exchanges.size, 'request')}.`),
      el('button', { type: 'button', onclick: () => { filter.clear(); draw(); } }, 'Clear filters'));
  }
  const command = `curl ${state.gateway}/v1/chat/completions -H 'Content-Type: application/json' -d '{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Hello"}]}'`;
  return el('div', {}, el('h2', {}, 'No requests yet'),
    el('p', {}, 'New requests appear here as they arrive. Try one:'), el('pre', {}, command));
}

const words: Record<api.Connection, string> = { connecting: 'Connecting…', live: 'Live', lost: 'Disconnected – reconnecting…', ended: 'Session ended – open the new link in the gateway’s log' };

function onConnection(now: api.Connection): void {
  connection = now;
  const place = byId('connection');
  place.textContent = words[now];
  place.className = `connection ${now}`;
  if (!state) draw();
}

byId('bodies').addEventListener('change', (event) => {
  const keep = (event.target as HTMLInputElement).checked;
  api.post('/api/bodies', { keep }).then(
    () => say(keep ? 'Recording bodies of new requests.' : 'Body recording is off.'),
    (error: Error) => notify(error.message, true));
});
byId('menu').addEventListener('click', () => dialogs.menu(state));
filter.onChange(() => {
  draw();
  say(`${byId('list').querySelector('[aria-rowcount]') ? [...exchanges.values()].filter((s) => filter.matches(filter.current(), s)).length : 0} requests`);
});
addEventListener('hashchange', navigated);
addEventListener('popstate', navigated);

const keys: Record<string, () => void> = {
  '/': () => filter.focus(),
  '?': () => dialogs.menu(state),
  j: () => list.move(1),
  k: () => list.move(-1),
  n: () => view.step(1),
  p: () => view.step(-1),
  Escape: () => open(0),
};

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (target.matches('input:not([type=checkbox]), select, textarea')) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  const run = keys[event.key] ?? (/^[1-4]$/.test(event.key) ? () => view.choose(Number(event.key) - 1) : undefined);
  if (!run) return;
  event.preventDefault();
  run();
});

api.listen(onNews, onConnection);
jobs.start();
