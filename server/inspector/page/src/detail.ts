// One exchange. It stays on the page when the list drops it.

import * as actions from './actions';
import * as api from './api';
import * as conversation from './conversation';
import { byId, el, fill } from './dom';
import * as facts from './facts';
import * as findings from './findings';
import { notify } from './notice';
import { Panes } from './panes';
import * as replay from './replay';
import * as route from './route';
import * as signatures from './signatures';
import { statusBadge } from './status';
import { short } from './text';
import * as timeline from './timeline';
import type { Detail, Finding, Summary } from './types';

interface Tab { id: string; name: (d: Detail) => string; panel: (d: Detail, view: DetailView) => HTMLElement }

/** The parts of an exchange, in the order of their keys. */
const tabs: Tab[] = [
  { id: 'conversation', name: () => 'Conversation', panel: (d, view) => view.conversationOf(d) },
  { id: 'request', name: () => 'Request', panel: (d, view) => view.panesOf(d, 'request') },
  { id: 'response', name: () => 'Response', panel: (d, view) => view.panesOf(d, 'response') },
  { id: 'timeline', name: () => 'Timeline', panel: (d) => timeline.panel(d) },
  {
    id: 'signatures', name: (d) => `Signatures${d.signatures.length > 0 ? ` (${d.signatures.length})` : ''}`,
    panel: (d) => signatures.panel(d),
  },
];

/** What the view asks of the page. */
export interface Frame {
  close: () => void;
  /** Opens an exchange that may not have been reported yet. */
  open: (number: number) => void;
  /** Opens the next exchange of the list, or the one before. */
  step: (by: number) => void;
  /** Returns the position of the exchange in the list. */
  position: () => { at: number; of: number };
}

export class DetailView {
  private readonly element = byId('detail');
  private shown: Detail | undefined;
  private key = ''; // the id in the address
  private asked = 0;
  private tab = 'request';
  private panes: Panes | undefined;
  private isDropped = false;
  private chosen: Finding | undefined;
  private cameFrom = ''; // the id of the link in the conversation that led to the raw JSON

  constructor(private readonly frame: Frame) {}

  /** The exchange that is shown, once it is loaded. */
  get summary(): Summary | undefined {
    return this.shown?.summary;
  }

  /** Shows an exchange. What the list knows of it is shown first. */
  async show(key: string, known: Summary | undefined): Promise<void> {
    if (this.key !== key) this.begin(key, known);
    this.element.hidden = false;
    const asked = ++this.asked;
    try {
      const d = await api.detail(known?.number ?? key);
      if (asked !== this.asked) return;
      this.isDropped = false;
      this.render(d);
    } catch (error) {
      if (asked === this.asked) this.fail(known, error as api.Refused);
    }
  }

  /** Says that the list has dropped the exchange. The loaded detail stays. */
  drop(): void {
    if (this.isDropped || !this.shown) return;
    this.asked++;
    this.isDropped = true;
    this.render(this.shown);
  }

  /** Hides the exchange and forgets it. */
  hide(): void {
    this.asked++;
    this.shown = undefined;
    this.key = '';
    this.element.hidden = true;
    fill(this.element);
  }

  /** Draws the exchange again, as the way to show it has changed. */
  redraw(): void {
    if (this.shown) this.render(this.shown);
  }

  /** Puts the focus on the heading. */
  focus(): void {
    this.element.querySelector<HTMLElement>('h2')?.focus();
  }

  /** Chooses a tab by its position. */
  choose(n: number): void {
    if (this.shown && tabs[n]) this.turn(tabs[n].id);
  }

  /** Goes to the next finding, or the one before. */
  step(by: number): void {
    const all = [...this.element.querySelectorAll<HTMLButtonElement>('.finding')].filter((b) => b.offsetParent !== null);
    const at = all.findIndex((b) => b.getAttribute('aria-pressed') === 'true');
    const next = all[(at + by + all.length) % all.length];
    next?.click();
    next?.scrollIntoView({ block: 'nearest' });
  }

  /** Returns both sides of the request or of the response. */
  panesOf(d: Detail, part: 'request' | 'response'): HTMLElement {
    this.panes = new Panes(d, part);
    return this.panes.element;
  }

  /** Returns the conversation. Its links lead to the raw JSON, and a button there leads back. */
  conversationOf(d: Detail): HTMLElement {
    return conversation.panel(d, (finding, link) => {
      this.cameFrom = link;
      this.select(finding);
    });
  }

  /** Returns the way back to the conversation, if the raw JSON was opened from there. */
  private wayBack(): HTMLElement | null {
    if (this.cameFrom === '' || !this.panes) return null;
    return conversation.back(() => {
      this.turn('conversation');
      conversation.focusLink(this.cameFrom);
      this.cameFrom = '';
    });
  }

  /** Returns the answer of a stream put together, for the place above its chunks. */
  private wholeAnswer(d: Detail): HTMLElement | null {
    const isStream = d.client.chunks.length > 0 || d.tries.some((t) => t.chunks.length > 0);
    if (this.tab !== 'response' || !isStream) return null;
    return el('details', { class: 'together', open: true }, el('summary', {}, 'The answer, put together'),
      conversation.answerPanel(d, (finding) => this.select(finding)));
  }

  private begin(key: string, known: Summary | undefined): void {
    this.key = key;
    this.shown = undefined;
    this.isDropped = false;
    this.chosen = undefined;
    this.cameFrom = '';
    const wanted = route.current().query.get('tab');
    this.tab = tabs.some((t) => t.id === wanted) ? wanted! : known?.error?.message && known.attempts > 1 ? 'timeline' : 'request';
    fill(this.element, this.header(known, undefined), el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
    this.element.scrollTop = 0;
  }

  private fail(known: Summary | undefined, error: api.Refused): void {
    if (error.isDropped && this.shown) {
      this.drop();
      return;
    }
    const again = error.isDropped ? null : el('button', { type: 'button', onclick: () => void this.show(this.key, known) }, 'Try again');
    const text = error.isDropped ? 'This request was dropped, or this gateway never had it.' : error.message;
    fill(this.element, this.header(known, undefined), el('div', { class: 'state', role: 'alert' }, el('p', {}, text), again));
  }

  private render(d: Detail): void {
    const isSame = this.shown?.summary.number === d.summary.number;
    this.shown = d;
    const open = [...this.element.querySelectorAll('details[open] > summary')].map((e) => e.textContent);
    const had = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const scrolled = isSame ? scrollsOf(this.element) : [];
    fill(this.element, this.header(d.summary, d), this.droppedNote(), facts.panel(d), facts.modelWarnings(d),
      facts.failure(d, (pointer) => this.blame(pointer)), findings.panel(d, (f) => this.select(f), this.chosen), this.tabList(d), this.tabPanel(d));
    for (const e of this.element.querySelectorAll('details > summary')) {
      if (open.includes(e.textContent)) (e.parentElement as HTMLDetailsElement).open = true;
    }
    if (this.chosen && this.tab === tabOf(this.chosen)) this.panes?.select(this.chosen);
    scrollsOf(this.element).forEach((place, i) => { place.element.scrollTop = scrolled[i]?.top ?? place.top; });
    if (had) document.getElementById(had)?.focus();
  }

  private droppedNote(): HTMLElement | null {
    return this.isDropped ? el('p', { class: 'dropped', role: 'status' }, 'This request was dropped from the list. It is still shown here until you close it.') : null;
  }

  private header(s: Summary | undefined, d: Detail | undefined): HTMLElement {
    const { at, of } = this.frame.position();
    const step = (label: string, key: string, by: number, isLast: boolean): HTMLElement => el('button', {
      type: 'button', class: 'small', id: `step-${label.toLowerCase()}`, disabled: isLast, title: `${label} request (${key})`, onclick: () => this.frame.step(by),
    }, label);
    return el('header', { class: 'title' },
      el('div', { class: 'what' },
        el('button', { type: 'button', class: 'back', id: 'close', 'aria-label': 'Close', title: 'Close (Esc)', onclick: this.frame.close }, '←'),
        el('h2', { tabindex: -1 }, s ? statusBadge(s) : null, ' ', el('span', {}, s ? `${s.method} ${short(s.path, 120)}` : short(this.key, 80))),
        el('span', { class: 'steps' }, step('Previous', 'k', -1, at <= 1), at > 0 ? ` ${at} of ${of} ` : ' ', step('Next', 'j', 1, at >= of))),
      s ? actions.panel(s, d, this.isDropped, (d) => replay.open(d, this.frame.open)) : null);
  }

  private tabList(d: Detail): HTMLElement {
    return el('div', { role: 'tablist', 'aria-label': 'Parts of the request', class: 'tabs', onkeydown: (e) => this.press(e as KeyboardEvent) },
      ...tabs.map((tab) => el('button', {
        type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': 'tab-panel', 'aria-selected': tab.id === this.tab ? 'true' : 'false',
        tabindex: tab.id === this.tab ? 0 : -1, onclick: () => this.turn(tab.id),
      }, tab.name(d))));
  }

  private press(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = tabs.findIndex((t) => t.id === this.tab);
    this.turn(tabs[(at + by + tabs.length) % tabs.length].id);
    document.getElementById(`tab-${this.tab}`)?.focus();
  }

  private tabPanel(d: Detail): HTMLElement {
    this.panes = undefined;
    const tab = tabs.find((t) => t.id === this.tab) ?? tabs[0];
    const panel = tab.panel(d, this);
    return el('div', { role: 'tabpanel', id: 'tab-panel', tabindex: 0, 'aria-labelledby': `tab-${tab.id}` }, this.wayBack(), this.wholeAnswer(d), panel);
  }

  /** Shows a tab, and puts it into the address. */
  turn(tab: string): void {
    this.tab = tab;
    route.setQuery({ tab });
    this.element.querySelector('.tabs')?.replaceWith(this.tabList(this.shown!));
    this.element.querySelector('#tab-panel')?.replaceWith(this.tabPanel(this.shown!));
  }

  private blame(pointer: string): void {
    if (this.tab !== 'request') this.turn('request');
    if (this.panes && !this.panes.blame(pointer)) notify('That path is not in the request.', true);
  }

  private select(finding: Finding): void {
    this.chosen = finding;
    if (this.tab !== tabOf(finding)) this.turn(tabOf(finding));
    this.panes?.select(finding);
  }
}

/** Returns the tab that has the place of a finding. */
const tabOf = (finding: Finding): string => (finding.side === 'client' ? 'request' : 'response');

/** Returns the scroll positions within an element. */
function scrollsOf(element: HTMLElement): { element: Element; top: number }[] {
  return [element, ...element.querySelectorAll('#tab-panel, .json, .findings')].map((e) => ({ element: e, top: e.scrollTop }));
}
