// What conversions lost, approximated and added, in words, and where.

import { lastCall } from './calls';
import { el } from './dom';
import * as format from './format';
import * as known from './known';
import { clientName, isConverted, upstreamName } from './sides';
import type { Detail, Finding, Kind } from './types';

/** Findings that differ in a number of their pointer alone are one, such as a loss in each chunk of a stream. */
export interface Group { finding: Finding; times: number }

const order: Record<Kind, number> = { lost: 0, approximated: 1, added: 2 };

export function grouped(findings: Finding[]): Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = [finding.side, finding.kind, finding.pointer.replace(/\/\d+/g, '/*'), finding.detail].join('\n');
    const group = groups.get(key);
    if (group) group.times++;
    else groups.set(key, { finding, times: 1 });
  }
  return [...groups.values()].sort((a, b) => order[a.finding.kind] - order[b.finding.kind]);
}

interface Choice { select: (finding: Finding) => void; chosen?: Finding }

const words: Record<Kind, string> = { lost: 'lost', approximated: 'changed', added: 'added' };

/** Says what became of the request and of the answer, and lists where. */
export function panel(d: Detail, select: (finding: Finding) => void, chosen?: Finding): HTMLElement {
  const choice = { select, chosen };
  const request = grouped(d.findings.filter((f) => f.side === 'client'));
  const answer = grouped(d.findings.filter((f) => f.side === 'upstream'));
  const box = el('section', { class: 'findings', 'aria-label': 'What the conversion did' }, el('h3', {}, verdict(d)));
  if (d.findings.length > 0 && d.summary.bodies) {
    box.append(el('p', { class: 'quiet' }, 'Select a row to highlight it in both bodies.'));
  }
  const [client, upstream] = [clientName(d.summary), upstreamName(d.summary)];
  box.append(...list(`Request: ${client} → ${upstream}`, request, choice), ...list(`Response: ${upstream} → ${client}`, answer, choice));
  if (d.leftOut.findings > 0) box.append(el('p', { class: 'quiet' }, `${format.count(d.leftOut.findings)} more not recorded.`));
  return box;
}

/** Says what became of the request and its answer. */
function verdict(d: Detail): string {
  const lost = (side: Finding['side']): number => d.findings.filter((f) => f.side === side && f.kind === 'lost' && !f.signature).length;
  const inRequest = lost('client');
  const inAnswer = lost('upstream');
  const parts: string[] = [];
  if (inRequest > 0) parts.push(`${format.plural(inRequest, 'field')} of this request ${inRequest === 1 ? 'was' : 'were'} not sent to ${upstreamName(d.summary)}`);
  if (inAnswer > 0) parts.push(`${format.plural(inAnswer, 'field')} of the response ${inAnswer === 1 ? 'was' : 'were'} not passed to the client`);
  const unsigned = missingSignatures(d);
  const losses = parts.length > 0 ? [`${parts.join(', ')}.`] : [];
  if (unsigned === 1) losses.push('The thought signature is missing. gemwire sent a placeholder.');
  if (unsigned > 1) losses.push(`${unsigned} thought signatures are missing. gemwire sent placeholders.`);
  return losses.length > 0 ? losses.join(' ') : withoutLoss(d);
}

/** Says how the request ended, where no field is lost. */
function withoutLoss(d: Detail): string {
  const s = d.summary;
  const upstream = upstreamName(s);
  if (s.running) return 'Nothing lost so far.';
  if (d.unsent === 'resting') return `Not sent to ${upstream}: all accounts were paused.`;
  if (d.attempts.length === 0 && d.tries.length === 0) {
    return s.status >= 400 ? `Rejected by the gateway; nothing was sent to ${upstream}.` : `Answered by the gateway itself; nothing was sent to ${upstream}.`;
  }
  const isWhole = !s.canceled && !(s.status < 400 && s.error?.message);
  if (!isWhole) return 'Nothing was lost in the part of the response that arrived.';
  if (s.status >= 400) return withoutAnswer(d);
  if (!isConverted(s)) return 'Passed through unchanged.';
  if (d.findings.length > 0) return 'Nothing was lost.';
  return d.storeAdded
    ? 'Nothing was lost or changed. The gateway added “store”: false, as its setting store_at_google says.'
    : 'Nothing was lost, changed or added.';
}

/** Says why there is no answer to convert. */
function withoutAnswer(d: Detail): string {
  const upstream = upstreamName(d.summary);
  const status = lastCall(d)?.status ?? d.tries.at(-1)?.response?.status ?? 0;
  if (status === 0) return `${upstream} did not answer; there is no response to convert.`;
  if (status >= 400) return `${upstream} returned an error; there is no response to convert.`;
  return `${upstream} answered, but the gateway could not pass the answer on.`;
}

/** Returns the number of signatures that the client should have sent back. */
function missingSignatures(d: Detail): number {
  return d.signatures.filter((s) => s.side === 'client' && s.carrier === 'sentinel').length;
}

function list(title: string, groups: Group[], choice: Choice): HTMLElement[] {
  if (groups.length === 0) return [];
  const lost = groups.filter((g) => g.finding.kind === 'lost');
  const others = groups.filter((g) => g.finding.kind !== 'lost');
  const all: HTMLElement[] = [el('h4', {}, title)];
  if (lost.length > 0) all.push(el('ul', {}, ...lost.map((g) => item(g, choice))));
  if (others.length > 0) {
    const rest = el('ul', {}, ...others.map((g) => item(g, choice)));
    const said = others.some((g) => g.finding.kind === 'approximated')
      ? others.some((g) => g.finding.kind === 'added') ? 'changed or added' : 'changed'
      : 'added';
    all.push(lost.length > 0 || others.length > 3
      ? el('details', {}, el('summary', {}, `${format.plural(others.length, 'value')} ${said}`), rest)
      : rest);
  }
  return all;
}

const isSame = (a: Finding, b: Finding | undefined): boolean =>
  b !== undefined && a.side === b.side && a.kind === b.kind && a.pointer === b.pointer && a.detail === b.detail;

function item({ finding, times }: Group, { select, chosen }: Choice): HTMLElement {
  const button: HTMLButtonElement = el('button', {
    type: 'button', class: 'finding', 'aria-pressed': String(isSame(finding, chosen)),
    onclick: () => {
      for (const other of document.querySelectorAll('.finding[aria-pressed="true"]')) other.setAttribute('aria-pressed', 'false');
      button.setAttribute('aria-pressed', 'true');
      select(finding);
    },
  },
  el('span', { class: `badge ${finding.kind}` }, words[finding.kind]),
  el('code', {}, finding.pointer || '(entire body)'),
  times > 1 ? el('span', { class: 'quiet' }, `×${times}`) : null,
  el('span', { class: 'why' }, finding.detail));
  return el('li', {}, button, advice(finding));
}

/** Says what to do about a finding, and where the documentation has more. */
function advice(finding: Finding): HTMLElement | null {
  const docs = known.docsLink(finding.docs);
  if (!finding.todo && (!docs || finding.kind !== 'lost')) return null;
  const link = docs ? el('a', { href: docs, target: '_blank', rel: 'noreferrer noopener', 'aria-label': `Reference of ${finding.pointer || 'the entire body'}` }, 'Reference') : null;
  return el('p', { class: 'todo' }, finding.todo ? `${finding.todo} ` : '', link);
}
