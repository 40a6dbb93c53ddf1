// Two answers side by side: their numbers, their texts and their calls.

import * as apiTalk from './api-talk';
import { comparison } from './comparison';
import { byId, el, fill } from './dom';
import * as known from './known';
import * as links from './links';
import type { View } from './views';

/** News of a new exchange may come after its number. This is how long the page waits for them. */
const patience = 2000;

/** A comparison as it is shown. It waits for exchanges that still run. */
class ComparePage {
  private stop: (() => void) | undefined;
  private asked = 0;

  constructor(private readonly place: HTMLElement) {}

  show(a: number, b: number): void {
    this.hide();
    const names = [links.requestLink(a), ' with ', links.requestLink(b)];
    const body = el('div', { class: 'compare-body' });
    fill(this.place, el('h2', { tabindex: -1 }, 'Compare ', ...names), body);
    let waitsFor: string | undefined;
    const update = (isPatient: boolean): void => {
      const waits = (n: number): boolean => known.summary(n)?.running ?? isPatient;
      const awaited = [a, b].filter(waits).map((n) => `#${n}`);
      if (awaited.join() === waitsFor) return;
      waitsFor = awaited.join();
      if (awaited.length > 0) {
        const text = `Waiting for the answer of ${awaited.join(' and ')}…`;
        fill(body, el('p', { class: 'state loading', role: 'status' }, text));
        return;
      }
      void this.load(a, b, body);
    };
    const stop = known.onChange(() => update(Date.now() < began + patience));
    const timer = setTimeout(() => update(false), patience);
    const began = Date.now();
    this.stop = () => {
      stop();
      clearTimeout(timer);
    };
    update(true);
  }

  hide(): void {
    this.asked++;
    this.stop?.();
    this.stop = undefined;
  }

  private async load(a: number, b: number, body: HTMLElement): Promise<void> {
    const asked = ++this.asked;
    fill(body, el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
    let drawn: HTMLElement[];
    try {
      drawn = comparison(await apiTalk.compare(a, b));
    } catch (error) {
      const again = { type: 'button', onclick: () => void this.load(a, b, body) };
      drawn = [el('div', { class: 'state', role: 'alert' },
        el('p', {}, (error as Error).message), el('button', again, 'Try again'))];
    }
    if (asked === this.asked) fill(body, ...drawn);
  }
}

let page: ComparePage | undefined;

/** The view of a comparison. Its addresses have two numbers, such as /compare/12/15. */
export const view: View = {
  id: 'compare', label: 'Compare', isOffered: false,
  show: () => {
    page ??= new ComparePage(byId('compare'));
    const [, a = 0, b = 0] = /^\/compare\/(\d+)\/(\d+)$/.exec(location.pathname) ?? [];
    page.show(Number(a), Number(b));
  },
  hide: () => page?.hide(),
};
