// Two answers side by side: their numbers, their texts and their calls.

import * as apiTalk from './api-talk';
import { comparison } from './comparison';
import { el, fill } from './dom';
import * as known from './known';
import * as links from './links';

/** The view of a comparison. It waits for exchanges that still run. */
export class CompareView {
  private stop: (() => void) | undefined;
  private asked = 0;

  constructor(private readonly place: HTMLElement) {}

  show(a: number, b: number): void {
    this.hide();
    this.place.hidden = false;
    const names = [links.requestLink(a), ' with ', links.requestLink(b)];
    const body = el('div', { class: 'compare-body' });
    fill(this.place, el('h2', { tabindex: -1 }, 'Compare ', ...names), body);
    let waitsFor: string | undefined;
    const update = (): void => {
      const running = [a, b].filter((n) => known.summary(n)?.running).map((n) => `#${n}`);
      if (running.join() === waitsFor) return;
      waitsFor = running.join();
      if (running.length > 0) {
        const text = `Waiting for the answer of ${running.join(' and ')}…`;
        fill(body, el('p', { class: 'state loading', role: 'status' }, text));
        return;
      }
      void this.load(a, b, body);
    };
    this.stop = known.onChange(update);
    update();
  }

  hide(): void {
    this.asked++;
    this.stop?.();
    this.stop = undefined;
    this.place.hidden = true;
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
