// Requests or responses of both sides, next to each other.

import { lastCall } from './calls';
import { copy } from './clipboard';
import { el, fill } from './dom';
import * as format from './format';
import { JSONView, type Mark } from './jsonview';
import { clientName, upstreamName } from './sides';
import { short } from './text';
import type { Chunk, Detail, Finding, Message, Talk, Try } from './types';

/**
 * The client's document on the left, the upstream's on the right. Gemini's is between them if the upstream
 * is not Gemini. A narrow page shows one of them at a time.
 */
export class Panes {
  readonly element = el('div', { class: 'panes' });
  private readonly choice = el('div', { class: 'pane-choice', role: 'group', 'aria-label': 'Side' });
  private readonly client: Pane;
  private upstream: Pane;
  private between: Pane | undefined;
  private readonly upstreamAt = el('div', { class: 'slot' });

  constructor(private readonly d: Detail, private readonly part: 'request' | 'response') {
    this.client = new Pane(clientName(d.summary), this.title('client'), d.client, part, this.marks(part === 'request' ? 'here' : 'there'), d);
    this.upstream = this.pane(d.tries.length - 1);
    this.element.append(this.choice, el('div', { class: 'slot' }, this.client.element), this.upstreamAt);
    this.show();
    this.turn(this.part === 'request' ? this.client : this.upstream);
  }

  /** Shows the place of a finding on both sides. */
  select(finding: Finding): void {
    const other = this.between ?? this.upstream;
    const [from, to] = this.part === 'request' ? [this.client, other] : [other, this.client];
    // What was added has its place on the other side alone.
    this.turn(finding.kind === 'added' && finding.here === undefined ? to : from);
    if (finding.signature) {
      from.select(finding.here, 'approximated', '', 'The client sent this call without its thought signature.');
      to.select(finding.there, 'added', '', 'gemwire sent a placeholder for the thought signature.');
      from.reveal();
      return;
    }
    from.select(finding.here, finding.kind,
      finding.kind === 'added' ? 'Not present here; added on the other side.' : 'Can’t highlight this: the body is truncated.');
    const lost = finding.kind === 'lost';
    to.select(finding.there, finding.kind,
      lost ? `${to.name} has no field for ${finding.pointer}.` : 'No matching value on this side.',
      lost ? `${to.name} has no field for ${finding.pointer}. The nearest value is highlighted.` : undefined);
    from.reveal();
  }

  /** Shows the place in the client's request that an error names. It reports false when there is no such place. */
  blame(pointer: string): boolean {
    this.turn(this.client);
    return this.client.blame(pointer);
  }

  private show(): void {
    fill(this.upstreamAt, this.between?.element ?? null, this.upstream.element);
    this.element.classList.toggle('three', this.between !== undefined);
  }

  /** Chooses the side that a narrow page shows. */
  private turn(shown: Pane): void {
    const all = [this.client, this.between, this.upstream].filter((pane) => pane !== undefined);
    for (const pane of all) pane.element.classList.toggle('turned', pane === shown);
    for (const slot of this.element.querySelectorAll('.slot')) slot.classList.toggle('turned', slot.contains(shown.element));
    fill(this.choice, ...all.map((pane) => el('button', {
      type: 'button', 'aria-pressed': String(pane === shown), onclick: () => this.turn(pane),
    }, pane.label)));
  }

  private title(side: 'client' | 'upstream'): string {
    const isFake = isFakeServer(this.d);
    if (this.part === 'request') return side === 'client' ? 'Client request' : isFake ? 'Sent to the fake server' : `Sent to ${upstreamName(this.d.summary)}`;
    return side === 'client' ? 'Sent to client' : isFake ? 'The fake server’s response' : `${upstreamName(this.d.summary)}’s response`;
  }

  private pane(n: number): Pane {
    const talk: Try = this.d.tries[n] ?? { chunks: [] };
    const marks = this.marks(this.part === 'request' ? 'there' : 'here');
    this.between = talk.between && new Pane('Gemini', 'intermediate Gemini form', talk.between, this.part, marks, this.d);
    const pane = new Pane(upstreamName(this.d.summary), this.title('upstream'), talk, this.part, this.between ? [] : marks, this.d);
    if (this.d.tries.length > 1) {
      const choice: HTMLSelectElement = el('select', {
        'aria-label': 'Attempt', onchange: () => {
          this.upstream = this.pane(Number(choice.value));
          this.show();
          this.turn(this.upstream);
        },
      }, ...this.d.tries.map((t, i) => el('option', { value: i, selected: i === n },
        `Attempt ${i + 1} of ${this.d.tries.length}${t.response?.status ? ` (${t.response.status})` : ''}`)));
      pane.tools.prepend(choice);
    }
    return pane;
  }

  /** Returns the marks at the edge: only of what was converted, as the other side has no such values. */
  private marks(place: 'here' | 'there'): Mark[] {
    if (place === 'there') return [];
    const side = this.part === 'request' ? 'client' : 'upstream';
    return this.d.findings.filter((f) => f.side === side && f.here !== undefined).map((f) => ({ pointer: f.here!, kind: f.signature ? 'approximated' : f.kind }));
  }
}

class Pane {
  readonly element: HTMLElement;
  readonly tools = el('div', { class: 'tools' });
  private readonly view: JSONView | undefined;
  private readonly said = el('p', { class: 'said', hidden: true });

  /** The name of the side and of its document. */
  readonly label: string;

  constructor(readonly name: string, title: string, talk: Talk, part: 'request' | 'response', marks: Mark[], d: Detail) {
    this.label = `${name}: ${title}`;
    const message = talk[part];
    const text = part === 'response' && talk.chunks.length > 0 ? list(talk.chunks) : (message?.body ?? '');
    const notes = part === 'response' && talk.chunks.length > 0
      ? talk.chunks.map((c, i) => `chunk ${i} · ${format.duration(c.at)} · ${format.bytes(c.size)}`) : undefined;
    this.element = el('div', { class: 'pane' },
      el('header', {}, el('h3', {}, name, ' ', el('span', { class: 'quiet' }, title)), this.tools), line(message), this.said);
    if (text === '') {
      this.element.append(el('p', { class: 'state' }, nothing(d, part, name, message)));
      return;
    }
    this.tools.append(el('button', { type: 'button', class: 'small', onclick: () => copy(text, `${name} JSON`) }, 'Copy'));
    if (message && message.leftOut > 0) {
      this.element.append(el('p', { class: 'warning' },
        message.cut ? `Body truncated: ${format.bytes(message.leftOut)} not recorded.` : `Long strings truncated: ${format.bytes(message.leftOut)} not recorded.`));
    }
    this.view = new JSONView(text, this.label, marks, notes);
    this.element.append(this.view.element);
    if (part === 'response' && name === upstreamName(d.summary) && d.broken) this.element.append(broken(d.broken));
  }

  blame(pointer: string): boolean {
    const found = this.view?.select(pointer, 'lost') ?? false;
    this.reveal();
    return found;
  }

  reveal(): void {
    this.view?.reveal();
  }

  select(pointer: string | undefined, kind: Finding['kind'], missing: string, near?: string): void {
    if (!this.view) return;
    const found = pointer !== undefined && this.view.select(pointer, near ? 'near' : kind);
    if (!found) this.view.clear();
    const text = found ? (near ?? '') : missing;
    fill(this.said, text);
    this.said.className = `said ${found ? 'near' : kind}`;
    this.said.hidden = text === '';
  }
}

/** Shows the bytes after which a stream could not be read. */
function broken(bytes: string): HTMLElement {
  return el('div', { class: 'broken' },
    el('h4', {}, `These ${format.bytes(new TextEncoder().encode(bytes).length)} broke the stream`), new JSONView(bytes, 'Bytes that broke the stream').element);
}

/** The first line of a message and its header. */
function line(message: Message | undefined): HTMLElement | null {
  if (!message) return null;
  const first = message.method ? `${message.method} ${short(message.url ?? '', 200)}` : `HTTP ${message.status}`;
  return el('details', { class: 'head' }, el('summary', {}, el('code', {}, first)),
    el('dl', {}, ...message.header.flatMap((f) => [el('dt', {}, f.name), el('dd', {}, f.value)])),
    el('p', { class: 'quiet' }, 'Credentials are redacted.'));
}

/** Whether the fake server that is built in answered, under Google's address and without a network. */
export function isFakeServer(d: Detail): boolean {
  return d.attempts.some((a) => a.account === 'embedded');
}

/** Says why a document is not there. */
function nothing(d: Detail, part: string, name: string, message: Message | undefined): string {
  const s = d.summary;
  if (!s.bodies) return 'Bodies were not being recorded. Turn on “Record bodies” and send it again.';
  if (message?.missed) return `Not kept: the inspector was busy (${format.bytes(message.leftOut)}).`;
  if (message) return message.method === 'GET' ? 'A GET request has no body.' : 'Empty body.';
  if (s.running) return 'Waiting…';
  const isUpstream = name === upstreamName(s);
  const reason = isUpstream ? unsent(d, name) : undefined;
  if (reason) return reason;
  if (part === 'request') return 'No request body.';
  const error = isUpstream ? lastCall(d)?.error : '';
  return error ? `No response: ${short(error, 300)}` : 'No response.';
}

/** Says why nothing was sent to the upstream. It returns undefined if something was sent. */
function unsent(d: Detail, name: string): string | undefined {
  const s = d.summary;
  if (d.unsent === 'unrecorded') return `Not recorded: the gateway asked ${name}, but does not report bodies of such requests.`;
  if (d.unsent === 'resting') return `Not sent: all accounts were paused${s.rest?.reason ? ` (${short(s.rest.reason, 200)})` : ''}.`;
  if (d.unsent === 'own') return `Not sent: the gateway answered without ${name}.`;
  if (d.unsent === 'refused') return 'Not sent: the gateway rejected the request.';
  if (d.attempts.length > 0 || d.tries.length > 0) return undefined;
  return s.status >= 400 ? 'Not sent: the gateway rejected the request.' : `Not sent: the gateway answered without ${name}.`;
}

/** Writes the chunks of a stream as a list; what is no JSON becomes a string, such as "[DONE]". */
export function list(chunks: Chunk[]): string {
  const texts = chunks.map((c) => {
    const text = c.data.trim();
    return text.startsWith('{') ? text : JSON.stringify(text);
  });
  return `[${texts.join(',')}]`;
}
