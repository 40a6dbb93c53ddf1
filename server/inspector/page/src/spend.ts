// What the clients of the gateway spent: today, this month, by key, by model and by day.

import * as apiTalk from './api-talk';
import { byId, el, fill } from './dom';
import * as route from './route';
import { sections, total } from './spendrows';
import type { Spend } from './types-spend';
import { offer, type View } from './views';

const every = 10_000;
const byDefault = '30';

/** The numbers of days that one can choose. */
const ranges: [string, string][] = [
  ['1', 'Today'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['400', 'Last 400 days'],
];

/** This month is always asked for too, for its total. */
const monthDays = 31;

class SpendPage {
  private timer = 0;
  private asked = 0;
  private days = byDefault;
  private readonly body = el('div', { class: 'overview-body' });
  private readonly file = el('a', { class: 'button', download: '' }, 'Download CSV');
  private readonly range = el('select', {
    'aria-label': 'Days', onchange: () => this.choose(this.range.value),
  }, ...ranges.map(([value, name]) => el('option', { value }, name)));

  constructor(private readonly place: HTMLElement) {}

  show(days: string): void {
    this.days = ranges.some(([value]) => value === days) ? days : byDefault;
    this.range.value = this.days;
    if (!this.place.contains(this.body)) {
      const heading = el('h2', { tabindex: -1 }, 'Spend');
      fill(this.place, el('header', {}, heading, this.range, this.file), this.body);
      fill(this.body, el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
    }
    void this.ask();
  }

  hide(): void {
    clearTimeout(this.timer);
    this.asked++;
  }

  private choose(days: string): void {
    this.days = days;
    route.setQuery({ days });
    void this.ask();
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    const asked = ++this.asked;
    this.file.href = `/api/spend.csv?days=${this.days}`;
    let drawn: HTMLElement[];
    try {
      const answer = await apiTalk.spend(Math.max(Number(this.days), monthDays));
      drawn = draw(answer, Number(this.days));
    } catch (error) {
      drawn = [el('p', { class: 'failure', role: 'alert' }, (error as Error).message)];
    }
    if (asked !== this.asked) return;
    const scrolled = [...this.body.querySelectorAll('.scroller')].map((e) => e.scrollLeft);
    const at = [...this.body.querySelectorAll('.scroller')].indexOf(document.activeElement as Element);
    const top = this.place.scrollTop;
    fill(this.body, ...drawn);
    const scrollers = [...this.body.querySelectorAll<HTMLElement>('.scroller')];
    scrollers.forEach((e, i) => { e.scrollLeft = scrolled[i] ?? 0; });
    scrollers[at]?.focus({ preventScroll: true });
    this.place.scrollTop = top;
    this.timer = setTimeout(() => void this.ask(), every);
  }
}

/** Returns the day that is a number of days before another, such as 2026-11-28. */
function before(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

function draw(s: Spend, days: number): HTMLElement[] {
  const since = before(s.today, days - 1);
  const rows = s.rows.filter((r) => r.day >= since);
  const today = s.rows.filter((r) => r.day === s.today);
  const month = s.rows.filter((r) => r.day.startsWith(s.today.slice(0, 7)));
  const sums = el('dl', { class: 'sums' },
    el('dt', {}, 'Today'), el('dd', {}, total(today)),
    el('dt', {}, 'This month'), el('dd', {}, total(month)));
  const note = el('p', { class: 'total' }, 'Days begin at midnight UTC. Costs are estimates from the rate card.');
  if (rows.length === 0) {
    return [sums, note, el('p', { class: 'state' }, 'No requests in these days.')];
  }
  return [sums, note, ...sections(rows), ...lost(s)];
}

/** Says what may be missing because gateways were killed. */
function lost(s: Spend): HTMLElement[] {
  if (s.killed === 0) return [];
  const many = s.killed === 1 ? '1 gateway process was killed' : `${s.killed} gateway processes were killed`;
  const requests = s.upTo === 1 ? '1 request' : `${s.upTo} requests`;
  return [el('p', { class: 'total' }, `${many}. Up to ${requests} of their last second may be missing.`)];
}

let page: SpendPage | undefined;

/** The view of the spend, which is offered if usage is counted. */
export const view: View = {
  id: 'spend', label: 'Spend', isOffered: false,
  show: () => {
    page ??= new SpendPage(byId('spend'));
    page.show(route.current().query.get('days') ?? '');
  },
  hide: () => page?.hide(),
};

/** Asks whether usage is counted. */
export async function start(): Promise<void> {
  try {
    offer('spend', (await apiTalk.spend(1)).shown);
  } catch {
    // the page shows elsewhere that the inspector does not answer
  }
}
