// The page: exchanges arrive by server-sent events, and the address selects the view.

import * as chart from './chart';
import * as compare from './compare';
import * as connection from './connection';
import { DetailView } from './detail';
import * as dialogs from './dialogs';
import { byId, say } from './dom';
import * as empty from './empty';
import { Exchanges } from './exchanges';
import * as filter from './filter';
import * as jobs from './jobs';
import * as keyboard from './keyboard';
import * as known from './known';
import { List } from './list';
import * as listbar from './listbar';
import { notify } from './notice';
import * as overview from './overview';
import * as route from './route';
import { type Row, fold, unfolded } from './rows';
import * as sort from './sort';
import * as spend from './spend';
import * as storage from './storage';
import { plain, short } from './text';
import type { News, Summary } from './types';
import * as views from './views';

const exchanges = new Exchanges();
let open = ''; // the id in the address
let drawing = 0;

const list = new List(choose, (by) => {
  route.setQuery({ sort: sort.remember(by) });
  draw();
});
const view = new DetailView({
  close: () => route.go(route.path('requests')),
  open: openNumber,
  step: (by) => step(by),
  position: () => list.position(openKey()),
});
const showCounts = listbar.start({
  zone: redrawAll, columns: () => dialogs.chooseColumns(() => list.layout()), allJobs: () => filter.showJob(''),
  clear: () => filter.clear(),
});

/** Returns the key of the open row, or "". */
function openKey(): string {
  const number = exchanges.find(open)?.number ?? view.summary?.number;
  return open !== '' && number ? String(number) : '';
}

/** Opens a row: an exchange, or the lines of a job. */
function choose(row: Row): void {
  if (row.job) filter.showJob(row.job.id);
  else route.go(route.path('requests', exchanges.nameOf(row.s)));
}

/** Opens the next row of the list, or the one before. Without an open one it moves the focus. */
function step(by: number): void {
  if (open === '') {
    list.move(by);
    return;
  }
  let next = list.after(openKey(), by);
  while (next?.job) next = list.after(next.key, by);
  const tab = route.current().query.get('tab') ?? '';
  if (next && next.key !== openKey()) route.go(route.path('requests', exchanges.nameOf(next.s), { tab }));
}

const patience = 10_000;
let awaited = { number: 0, timer: 0 };

/** Opens an exchange of which the server has only just given the number. */
function openNumber(number: number): void {
  const s = exchanges.get(number);
  clearTimeout(awaited.timer);
  if (s) {
    awaited = { number: 0, timer: 0 };
    route.go(route.path('requests', exchanges.nameOf(s)));
    return;
  }
  awaited = {
    number, timer: setTimeout(() => {
      awaited.number = 0;
      notify(`The gateway has not recorded request #${number}.`, true);
    }, patience),
  };
}

/** Returns the id of an exchange in addresses, also for its number, and corrects the address. */
function canonical(id: string): string {
  const s = exchanges.find(id);
  if (!s || exchanges.nameOf(s) === id) return id;
  route.replace(`/requests/${encodeURIComponent(exchanges.nameOf(s))}${location.search}`);
  return exchanges.nameOf(s);
}

/** Shows the list, with the exchange that the address names. */
function showRequests(wanted: string): void {
  const id = canonical(wanted);
  const before = openKey();
  filter.read();
  const isNew = id !== open;
  open = id;
  byId('main').classList.toggle('split', id !== '');
  if (id === '') {
    view.hide();
    document.title = titleOf(undefined);
  } else if (hasBegun) {
    show(isNew);
  } // The first news name the exchange.
  list.layout();
  draw();
  if (id === '' && isNew && before !== '') list.focus(before);
  else if (isNew) list.reveal(openKey());
}

/** Returns the title of the page, for the history and the tabs of the browser. */
function titleOf(s: Summary | undefined): string {
  return plain(s ? `${s.running ? 'running' : s.status} ${s.method} ${short(s.path)} · gemwire` : 'gemwire inspector');
}

function hideRequests(): void {
  byId('main').classList.remove('split');
  open = '';
  view.hide();
  document.title = titleOf(undefined);
}

function show(takeFocus: boolean): void {
  void view.show(open, exchanges.find(open)).then(() => {
    if (view.summary && exchanges.find(open) === undefined) view.drop();
    document.title = titleOf(view.summary);
    if (takeFocus) view.focus();
  });
}

/** With more exchanges than this the page draws news less often. */
const many = 2000;
let refreshed = 0;
let hasBegun = false;

function onNews(news: News, isFirst: boolean): void {
  exchanges.apply(news, isFirst);
  known.changed(news);
  storage.check(news);
  byId<HTMLInputElement>('bodies').checked = news.bodies;
  drawing ||= setTimeout(draw, exchanges.size > many ? 250 : 16);
  filter.refresh();
  if (awaited.number > 0 && exchanges.get(awaited.number)) openNumber(awaited.number);
  const s = exchanges.find(open);
  if (!s && news.more) return; // The rest of the news may have it.
  if (!hasBegun) {
    hasBegun = true;
    if (open !== '') begin();
  } else if (open !== '') {
    update(news);
  }
}

/** Brings the open exchange up to date. */
function update(news: News): void {
  const s = exchanges.find(open);
  if (!s) {
    view.drop();
  } else if (news.exchanges.some((changed) => changed.number === s.number)) {
    clearTimeout(refreshed);
    refreshed = setTimeout(() => { if (exchanges.find(open)?.number === s.number) show(false); }, s.running ? 400 : 0);
  }
}

/** Shows the exchange of the address once the news can name it. */
function begin(): void {
  open = canonical(open);
  draw();
  list.reveal(openKey());
  show(true);
}

function draw(): void {
  clearTimeout(drawing);
  drawing = 0;
  const all = exchanges.newest();
  filter.offerModels(all);
  const shown = filter.apply(all);
  list.show({
    rows: filter.ofJob() === '' ? fold(shown) : unfolded(shown), matches: filter.matches(), open: openKey(),
    sort: sort.parse(route.current().query.get('sort') ?? ''),
    nothing: shown.length > 0 ? undefined : empty.reason(exchanges, connection.state(), () => filter.clear()),
  });
  chart.draw(shown);
  showCounts({ shown: shown.length, all: all.length, remark: filter.remark(), isFiltered: !filter.isEmpty(), job: filter.ofJob() });
}

/** Draws everything again, for another time zone. */
function redrawAll(): void {
  list.layout();
  draw();
  view.redraw();
  jobs.draw();
}

known.use({ get: (number) => exchanges.get(number), filtered: () => filter.apply(exchanges.newest()), count: () => exchanges.size });
filter.start(() => {
  draw();
  say(byId('listbar').querySelector('.counts')?.textContent ?? '');
});
views.add({ id: 'requests', label: 'Requests', isOffered: true, show: showRequests, hide: hideRequests });
views.add(overview.view);
views.add(spend.view);
views.add(jobs.view);
views.add(compare.view);
byId('menu').addEventListener('click', () => dialogs.menu(exchanges.state));

keyboard.listen({
  '/': () => filter.focus(),
  '?': () => dialogs.menu(exchanges.state),
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  n: () => view.step(1),
  p: () => view.step(-1),
  Escape: () => { if (open !== '') route.go(route.path('requests')); },
}, (part) => view.choose(part));

route.start();
views.start();
connection.start(onNews, () => { if (!exchanges.state) draw(); });
jobs.start();
void spend.start();
