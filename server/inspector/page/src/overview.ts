// All requests of a time range: who fails and why, how long models take, what is lost, and which
// accounts rest.

import * as apiTalk from './api-talk';
import { byId, el, fill } from './dom';
import * as format from './format';
import { sections } from './overviewrows';
import * as route from './route';
import type { Overview } from './types-overview';
import type { View } from './views';

const every = 5000;
const byDefault = '1h';

/** The time ranges that one can choose. */
const ranges: [string, string][] = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last 24 hours'],
  ['all', 'Everything recorded'],
];

/** The overview as it is shown. It asks again while it is shown. */
class OverviewPage {
  private timer = 0;
  private asked = 0;
  private since = byDefault;
  private readonly body = el('div', { class: 'overview-body' });
  private readonly range = el('select', {
    'aria-label': 'Time range', onchange: () => this.choose(this.range.value),
  }, ...ranges.map(([value, name]) => el('option', { value }, name)));

  constructor(private readonly place: HTMLElement) {}

  show(since: string): void {
    this.since = ranges.some(([value]) => value === since) ? since : byDefault;
    this.range.value = this.since;
    if (!this.place.contains(this.body)) {
      const heading = el('h2', { tabindex: -1 }, 'Overview');
      fill(this.place, el('header', {}, heading, this.range), this.body);
      fill(this.body, el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
    }
    void this.ask();
  }

  hide(): void {
    clearTimeout(this.timer);
    this.asked++;
  }

  private choose(since: string): void {
    this.since = since;
    route.setQuery({ since });
    void this.ask();
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    const asked = ++this.asked;
    let drawn: HTMLElement[];
    try {
      const since = this.since === 'all' ? '' : this.since;
      drawn = draw(await apiTalk.overview(since), since);
    } catch (error) {
      drawn = [el('p', { class: 'failure', role: 'alert' }, (error as Error).message)];
    }
    if (asked !== this.asked) return;
    this.draw(drawn);
    this.timer = setTimeout(() => void this.ask(), every);
  }

  /** Puts new rows in the place of the old ones. The focus and what is scrolled stay. */
  private draw(children: HTMLElement[]): void {
    const focused = document.activeElement;
    const had = focused instanceof HTMLElement && this.body.contains(focused) ? focused : undefined;
    const scrolled = [...this.body.querySelectorAll('.scroller')].map((e) => e.scrollLeft);
    const top = this.place.scrollTop;
    fill(this.body, ...children);
    this.body.querySelectorAll('.scroller').forEach((e, i) => {
      e.scrollLeft = scrolled[i] ?? 0;
    });
    this.place.scrollTop = top;
    if (had) this.again(had)?.focus({ preventScroll: true });
  }

  /** Finds the element that stands in the place of an earlier one. */
  private again(had: HTMLElement): HTMLElement | null {
    const [name, value] = had.dataset.key
      ? ['data-key', had.dataset.key]
      : ['aria-label', had.getAttribute('aria-label') ?? ''];
    return this.body.querySelector<HTMLElement>(`[${name}="${CSS.escape(value)}"]`);
  }
}

function draw(o: Overview, since: string): HTMLElement[] {
  if (o.requests === 0 && (o.accounts ?? []).length === 0) {
    return [el('p', { class: 'state' }, 'No requests in this time range.')];
  }
  const share = o.requests > 0 ? ` (${((100 * o.failed) / o.requests).toFixed(1)} %)` : '';
  const total = [
    format.plural(o.requests, 'request'), `${format.count(o.failed)} failed${share}`,
    ...(o.running ? [`${format.count(o.running)} running`] : []),
    ...(since === '' ? [] : [`since ${format.dateTime(o.from)}`]),
  ].join(', ');
  return [el('p', { class: 'total' }, total), ...sections(o, since)];
}

let page: OverviewPage | undefined;

/** The view of the overview. */
export const view: View = {
  id: 'overview', label: 'Overview', isOffered: true,
  show: () => {
    page ??= new OverviewPage(byId('overview'));
    page.show(route.current().query.get('since') ?? '');
  },
  hide: () => page?.hide(),
};
