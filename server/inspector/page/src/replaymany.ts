// The dialog that sends many requests again, against another model, and the table of outcomes.

import * as apiTalk from './api-talk';
import { modelsOf } from './columns';
import { el, fill } from './dom';
import * as format from './format';
import * as known from './known';
import * as links from './links';
import { modal } from './modal';
import { statusBadge } from './status';
import { type Cell, number, table, text } from './tables';
import { targets } from './targets';
import type { Summary } from './types';
import type { NotStarted, Started } from './types-talk';

/** The dialog offers no more requests than this at once. */
const most = 200;

const billed = 'Sends the chosen requests through the gateway with the gateway’s keys. ' +
  'They use quota and are billed.';

const free = 'Sends the chosen requests through the gateway. The built-in fake server answers, ' +
  'so they cost nothing.';

/** Opens the dialog for the requests that the filter lets through. */
export function open(): void {
  const all = known.filtered().filter((s) => !s.running && s.bodies && s.form !== 'models');
  const offered = all.slice(0, most);
  const chosen = new Set(offered.map((s) => s.number));
  const target = targets();
  const wrong = el('p', { class: 'said lost', role: 'alert', hidden: true });
  const body = el('div', {});
  const count = el('span', {});
  const send: HTMLButtonElement = el('button', {
    type: 'button', class: 'primary', onclick: () => void run(),
  });
  let isSent = false;

  const update = (): void => {
    send.textContent = `Send ${format.plural(chosen.size, 'request')}`;
    send.disabled = chosen.size === 0;
    const cost = costOf(offered.filter((s) => chosen.has(s.number)));
    const price = cost > 0 ? `; together they cost ${format.money(cost, 'USD')}` : '';
    fill(count, `${format.count(chosen.size)} of ${format.count(offered.length)} chosen${price}.`);
  };
  const run = async (): Promise<void> => {
    send.disabled = true;
    wrong.hidden = true;
    try {
      const numbers = offered.map((s) => s.number).filter((n) => chosen.has(n)).reverse();
      const { model = '', account = '' } = target.changes();
      const answer = await apiTalk.replays(numbers, model, account);
      isSent = true;
      dialog.addEventListener('close', showOutcomes(body, answer?.started ?? [], answer?.failed ?? []));
    } catch (error) {
      fill(wrong, (error as Error).message);
      wrong.hidden = false;
      send.disabled = false;
    }
  };

  const isFree = offered.length > 0 && offered.every((s) => s.account === 'embedded');
  const rest = all.length - offered.length;
  const none = 'The filter finds no request whose body was recorded.';
  fill(body, el('p', { class: 'quiet' }, isFree ? free : billed), target.element,
    el('p', {}, count, rest > 0 ? ` ${format.plural(rest, 'older request')} not offered.` : ''),
    offered.length > 0 ? selection(offered, chosen, update) : el('p', { class: 'state' }, none),
    wrong, el('footer', {}, send));
  const isEdited = (): boolean => !isSent && chosen.size < offered.length;
  const { dialog } = modal('Replay many requests', isEdited, body);
  update();
}

const costOf = (all: (Summary | undefined)[]): number =>
  all.reduce((sum, s) => sum + (s?.cost?.amount ?? 0), 0);

/** Makes the table in which one chooses requests. */
function selection(offered: Summary[], chosen: Set<number>, changed: () => void): HTMLElement {
  const boxes = offered.map((s) => {
    const box: HTMLInputElement = el('input', {
      type: 'checkbox', checked: true, 'aria-label': `Request ${s.number}`,
      onchange: () => {
        if (box.checked) chosen.add(s.number);
        else chosen.delete(s.number);
        every.checked = chosen.size === offered.length;
        changed();
      },
    });
    return box;
  });
  const every: HTMLInputElement = el('input', {
    type: 'checkbox', checked: true, 'aria-label': 'All requests',
    onchange: () => {
      const wanted = every.checked;
      for (const box of boxes) if (box.checked !== wanted) box.click();
    },
  });
  const columns = [
    text(every), text('Request'), text('Time'), text('Client'), text('Model'), text('Status'),
  ];
  return table('Requests to send again', columns, offered.map((s, i) => [
    boxes[i], `#${s.number}`, format.time(s.at), s.client || '–', modelsOf(s)[0] ?? '–',
    statusBadge(s),
  ]));
}

/** Shows what became of each replay, until the returned function is called. */
function showOutcomes(place: HTMLElement, started: Started[], not: NotStarted[]): () => void {
  const said = el('p', { role: 'status' });
  const rows = el('div', {});
  const reasons = not.map(({ of, error }) =>
    el('li', {}, outside(links.request(of), `#${of}`), `: ${error}`));
  fill(place, said, rows, not.length > 0 ? el('h3', {}, 'Not sent') : null, el('ul', {}, ...reasons));
  let before = '';
  const draw = (): void => {
    const now = started.map((s) => state(known.summary(s.number))).join();
    if (now === before) return;
    before = now;
    fill(said, progress(started));
    const scrolled = rows.querySelector('.scroller')?.scrollTop ?? 0;
    fill(rows, table('Outcomes', outcomeColumns, started.map((s) => outcome(s.of, s.number))));
    rows.querySelector('.scroller')?.scrollTo(0, scrolled);
  };
  draw();
  return known.onChange(draw);
}

const state = (s: Summary | undefined): string => (s ? `${s.running} ${s.status}` : '');

function progress(started: Started[]): string {
  const done = started.filter((s) => known.summary(s.number)?.running === false);
  const now = done.map((s) => known.summary(s.number));
  const failed = now.filter((s) => s && (s.status >= 400 || s.error?.message)).length;
  const [cost, before] = [costOf(now), costOf(done.map((s) => known.summary(s.of)))];
  const price = cost > 0 || before > 0
    ? ` They cost ${format.money(cost, 'USD')}, before ${format.money(before, 'USD')}.` : '';
  return `${format.count(done.length)} of ${format.count(started.length)} answered, ` +
    `${format.count(failed)} failed.${price}`;
}

const outcomeColumns = [
  text('Request'), text('Replay'), text('Model'), text('Status'), number('Duration'),
  number('Duration before'), number('Tokens'), number('Cost'), number('Cost before'),
  number('Lost'), text('Difference'),
];

function outcome(of: number, made: number): Cell[] {
  const [before, now] = [known.summary(of), known.summary(made)];
  const done = now && !now.running ? now : undefined;
  const money = (s: Summary | undefined): string =>
    (s?.cost ? format.money(s.cost.amount, s.cost.currency) : '–');
  return [
    outside(links.request(of), `#${of}`), made > 0 ? outside(links.request(made), `#${made}`) : '–',
    now ? (modelsOf(now).at(-1) ?? '–') : '–',
    now ? statusBadge(now) : el('span', { class: 'badge running' }, 'waiting'),
    done ? format.duration(done.duration) : '–', before ? format.duration(before.duration) : '–',
    done ? `${format.short(done.tokens.input)} → ${format.short(done.tokens.output)}` : '–',
    money(done), money(before), done ? done.lost : '–',
    done ? outside(links.comparison(of, made), 'Compare') : null,
  ];
}

/** Makes a link that opens in another tab, so that the table stays. */
const outside = (href: string, name: string): HTMLElement =>
  el('a', { href, target: '_blank', rel: 'noreferrer noopener' }, name);
