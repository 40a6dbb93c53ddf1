// One exchange.

import * as api from './api';
import { copy } from './clipboard';
import * as dialogs from './dialogs';
import { byId, el, fill } from './dom';
import * as findings from './findings';
import * as format from './format';
import { modelsOf, statusBadge } from './list';
import { notify } from './notice';
import { Panes, isFakeServer } from './panes';
import { clientName, upstreamName } from './sides';
import * as signatures from './signatures';
import * as timeline from './timeline';
import type { Detail, Finding, Summary } from './types';

type Tab = 'request' | 'response' | 'timeline' | 'signatures';
const tabs: Tab[] = ['request', 'response', 'timeline', 'signatures'];

export class DetailView {
  private readonly element = byId('detail');
  private shown: Detail | undefined;
  private asked = 0;
  private tab: Tab = 'request';
  private panes: Panes | undefined;

  constructor(private readonly close: () => void, private readonly open: (number: number) => void) {}

  /** Shows an exchange, from what the list knows first. */
  async show(s: Summary): Promise<void> {
    const isNew = this.shown?.summary.number !== s.number;
    if (isNew) {
      this.shown = undefined;
      this.tab = s.error?.message && s.attempts > 1 ? 'timeline' : 'request';
      fill(this.element, this.header(s, undefined), el('p', { class: 'state loading', role: 'status' }, 'Loading…'));
      this.element.scrollTop = 0;
    }
    this.element.hidden = false;
    const asked = ++this.asked;
    try {
      const d = await api.detail(s.number);
      if (asked !== this.asked) return;
      this.shown = d;
      this.render(d);
    } catch (error) {
      if (asked === this.asked) this.fail(s, error as Error);
    }
  }

  hide(): void {
    this.asked++;
    this.shown = undefined;
    this.element.hidden = true;
    fill(this.element);
  }

  /** Puts the focus on the heading. */
  focus(): void {
    this.element.querySelector<HTMLElement>('h2')?.focus();
  }

  choose(n: number): void {
    if (this.shown && tabs[n]) this.turn(tabs[n]);
  }

  /** Goes to the next finding, or the one before. */
  step(by: number): void {
    const all = [...this.element.querySelectorAll<HTMLButtonElement>('.finding')].filter((b) => b.offsetParent !== null);
    const at = all.findIndex((b) => b.getAttribute('aria-pressed') === 'true');
    const next = all[(at + by + all.length) % all.length];
    next?.click();
    next?.scrollIntoView({ block: 'nearest' });
  }

  private fail(s: Summary, error: Error): void {
    fill(this.element, this.header(s, undefined), el('div', { class: 'state', role: 'alert' },
      el('p', {}, error.message), el('button', { type: 'button', onclick: () => void this.show(s) }, 'Try again')));
  }

  private render(d: Detail): void {
    const open = [...this.element.querySelectorAll('details[open] > summary')].map((e) => e.textContent);
    const had = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    fill(this.element, this.header(d.summary, d), this.facts(d), this.modelWarnings(d), this.failure(d), findings.panel(d, (f) => this.select(f)), this.tabList(d), this.tabPanel(d));
    for (const e of this.element.querySelectorAll('details > summary')) {
      if (open.includes(e.textContent)) (e.parentElement as HTMLDetailsElement).open = true;
    }
    if (had) document.getElementById(had)?.focus();
  }

  private header(s: Summary, d: Detail | undefined): HTMLElement {
    const note = (name: string): string | undefined => d?.notes?.[name];
    const button = (label: string, name: string, click: () => void): HTMLElement => el('button', {
      type: 'button', id: `do-${name.replace('/', '-')}`, disabled: !d || note(name) !== undefined, title: note(name) ?? null, onclick: click,
    }, label);
    const file = (label: string, name: string, of: string): HTMLElement => note(of) !== undefined || !d
      ? el('button', { type: 'button', disabled: true, title: note(of) ?? null }, label)
      : el('a', { class: 'button', href: `/api/exchanges/${s.number}/${name}`, download: '' }, label);
    const curl = (side: string): Promise<string> => api.get(`/api/exchanges/${s.number}/curl/${side}`);
    const replayable = d?.canReplay ? note('replay') === undefined || d.client.request !== undefined : false;
    return el('header', { class: 'title' },
      el('div', { class: 'what' },
        el('button', { type: 'button', class: 'back', 'aria-label': 'Close', title: 'Close (Esc)', onclick: this.close }, '←'),
        el('h2', { tabindex: -1 }, statusBadge(s), ' ', el('span', {}, s.method, ' ', s.path))),
      el('div', { class: 'actions' },
        button(`Copy curl (${s.form === 'native' ? 'client' : clientName(s)})`, 'curl/client', () => void copy(curl('client'), 'Command')),
        button(`Copy curl (${upstreamName(s)})`, 'curl/upstream', () => void copy(curl('upstream'), 'Command')),
        el('button', {
          type: 'button', id: 'do-replay', disabled: !replayable, title: replayable ? null : note('replay') ?? 'Replay unavailable: no gateway attached',
          onclick: () => d && dialogs.replay(d, this.open),
        }, 'Replay…'),
        file('Download fixture', 'fixture', 'fixture'), file('Download HAR', 'har', 'har')));
  }

  private facts(d: Detail): HTMLElement {
    const s = d.summary;
    const fact = (name: string, value: Node | string | undefined, title?: string): HTMLElement | null =>
      value === undefined || value === '' ? null : el('div', { title: title ?? null }, el('dt', {}, name), el('dd', {}, value));
    const model = modelsOf(s).join(' → ');
    const t = s.tokens;
    return el('dl', { class: 'facts' },
      fact('Model', model), fact('Received', format.dateTime(s.at)),
      fact('Duration', s.running ? 'running' : format.duration(s.duration)),
      fact('Time to first token', s.firstToken > 0 ? format.duration(s.firstToken) : undefined),
      fact('Tokens', t.total > 0 ? `${format.count(t.input)} in, ${format.count(t.output)} out` : undefined,
        `${t.thinking} output tokens are thinking; ${t.cached} input tokens were cached${t.estimated ? '; estimated' : ''}`),
      fact('Thinking', t.thinking > 0 ? format.count(t.thinking) : undefined), fact('Cached', t.cached > 0 ? format.count(t.cached) : undefined),
      fact('Cost', s.cost ? format.money(s.cost.amount, s.cost.currency) : undefined, s.cost?.source),
      fact('Answered by', isFakeServer(d) ? 'the fake server' : undefined, 'The built-in fake server answered. Nothing was sent to Google; the URL is only what would have been called.'),
      fact('Finish reason', s.finishReason), fact('Attempts', s.attempts > 1 ? String(s.attempts) : undefined),
      fact('Client', s.client || s.userAgent, `${s.userAgent} at ${s.remote}`), fact('Client retry no.', s.retry > 0 ? String(s.retry) : undefined),
      fact('Request ID', el('code', {}, s.id)),
      fact('Replay of', s.replayOf ? el('a', { href: `#${s.replayOf}` }, `#${s.replayOf}`) : undefined));
  }

  /** Says that another model answered, or that the model ends. */
  private modelWarnings(d: Detail): HTMLElement | null {
    const notes = d.summary.modelWarnings ?? [];
    return notes.length === 0 ? null : el('div', { class: 'model-warnings' }, ...notes.map((note) => el('p', {}, note)));
  }

  /** Shows the error that the client received. */
  private failure(d: Detail): HTMLElement | null {
    const e = d.summary.error;
    if (d.summary.canceled) return el('p', { class: 'failure' }, 'The client disconnected before the response was complete.');
    if (!e?.message) return null;
    const pointer = /(?<![\w:/.])\/[A-Za-z_][\w~]*(?:\/[\w~]+)*/.exec(e.message)?.[0];
    const canShow = pointer !== undefined && d.client.request !== undefined && d.tries.length === 0 && e.code !== 'unknown_url';
    return el('p', { class: 'failure' }, 'Returned to the client: ', el('code', {}, [e.type, e.code].filter(Boolean).join(' · ')), ' ', e.message, ' ',
      canShow ? el('button', { type: 'button', class: 'link', onclick: () => this.blame(pointer) }, `Show ${pointer}`) : null);
  }

  private tabList(d: Detail): HTMLElement {
    const names: Record<Tab, string> = { request: 'Request', response: 'Response', timeline: 'Timeline', signatures: `Signatures${d.signatures.length > 0 ? ` (${d.signatures.length})` : ''}` };
    return el('div', { role: 'tablist', 'aria-label': 'Parts of the request', class: 'tabs', onkeydown: (e) => this.key(e as KeyboardEvent) },
      ...tabs.map((tab) => el('button', {
        type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-controls': 'tab-panel', 'aria-selected': tab === this.tab ? 'true' : 'false',
        tabindex: tab === this.tab ? 0 : -1, onclick: () => this.turn(tab),
      }, names[tab])));
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.turn(tabs[(tabs.indexOf(this.tab) + by + tabs.length) % tabs.length]);
    document.getElementById(`tab-${this.tab}`)?.focus();
  }

  private tabPanel(d: Detail): HTMLElement {
    const panel = el('div', { role: 'tabpanel', id: 'tab-panel', 'aria-labelledby': `tab-${this.tab}` });
    this.panes = undefined;
    if (this.tab === 'timeline') panel.append(timeline.panel(d));
    else if (this.tab === 'signatures') panel.append(signatures.panel(d));
    else panel.append((this.panes = new Panes(d, this.tab)).element);
    return panel;
  }

  private turn(tab: Tab): void {
    this.tab = tab;
    this.element.querySelector('.tabs')?.replaceWith(this.tabList(this.shown!));
    this.element.querySelector('#tab-panel')?.replaceWith(this.tabPanel(this.shown!));
  }

  private blame(pointer: string): void {
    if (this.tab !== 'request') this.turn('request');
    if (this.panes && !this.panes.blame(pointer)) notify('The request has no such place.', true);
  }

  private select(finding: Finding): void {
    const tab = finding.side === 'client' ? 'request' : 'response';
    if (this.tab !== tab) this.turn(tab);
    this.panes?.select(finding);
  }
}
