// The facts of an exchange, and the error that its client received.

import { lastCall } from './calls';
import { modelsOf } from './columns';
import { el } from './dom';
import * as format from './format';
import * as links from './links';
import { isFakeServer } from './panes';
import * as route from './route';
import { short } from './text';
import type { Detail } from './types';

type Fact = [name: string, value: Node | string | undefined, title?: string];

const fakeServer = 'The built-in fake server answered. Nothing was sent to Google; the URL is only what would have been called.';

/** Lists the facts. Those without a value are left out. */
export function panel(d: Detail): HTMLElement {
  return el('dl', { class: 'facts' }, ...facts(d).map(([name, value, title]) =>
    value === undefined || value === '' ? null : el('div', { title: title ?? null }, el('dt', {}, name), el('dd', {}, value))));
}

function facts(d: Detail): Fact[] {
  const s = d.summary;
  const t = s.tokens;
  const models = [s.model, s.askedModel, s.upstreamModel].filter(Boolean).join(' → ');
  const client = s.client || s.userAgent;
  return [
    ['Model', modelsOf(s).join(' → '), short(models, 1000)], ['Received', format.dateTime(s.at)],
    ['Duration', s.running ? 'running' : format.duration(s.duration)],
    ['Time to first token', s.firstToken > 0 ? format.duration(s.firstToken) : undefined],
    ['Tokens', t.total > 0 ? `${format.count(t.input)} in, ${format.count(t.output)} out` : undefined,
      `${t.thinking} output tokens are thinking; ${t.cached} input tokens were cached${t.estimated ? '; estimated' : ''}`],
    ['Thinking', t.thinking > 0 ? format.count(t.thinking) : undefined],
    ['Cached', t.cached > 0 ? format.count(t.cached) : undefined],
    ['Cost', s.cost ? format.money(s.cost.amount, s.cost.currency) : undefined, s.cost?.source],
    ['Answered by', isFakeServer(d) ? 'the fake server' : undefined, fakeServer],
    ['Finish reason', s.finishReason], ['Account', s.account], ['Attempts', s.attempts > 1 ? String(s.attempts) : undefined],
    ['Account paused', s.rest ? el('span', {}, `${short(s.rest.account, 40)} until ${format.dateTime(s.rest.until)}`,
      s.rest.by ? el('span', {}, ', since ', el('a', { href: route.path('requests', s.rest.by) }, short(s.rest.by, 40))) : null) : undefined, s.rest?.reason],
    ['Account paused', s.rest ? undefined : pausedNow(d), 'Gemini answered 429, so the gateway paused this account'],
    ['Client', short(client, 60), short(`${s.userAgent} at ${s.remote}`, 300)],
    ['Session', s.session ? el('code', {}, short(s.session, 40)) : undefined, short(s.session ?? '', 300)],
    ['Agent', s.agent ? el('code', {}, short(s.agent, 40)) : undefined, s.parentAgent ? short(`Started by ${s.parentAgent}`, 300) : undefined],
    ['Client retry no.', s.retry > 0 ? String(s.retry) : undefined],
    ['Strict', s.strict ? 'losses are refused' : undefined], ['Source', s.imported ? 'an imported session' : undefined],
    ['Job', s.job ? el('a', { href: route.path('jobs', s.job) }, short(s.job, 40)) : undefined],
    ['Request ID', el('code', {}, short(s.id, 80)), s.id],
    ['Replay of', s.replayOf ? el('a', { href: route.path('requests', String(s.replayOf)) }, `#${s.replayOf}`) : undefined],
    ['Difference', s.replayOf && !s.running ? el('a', { href: links.comparison(s.replayOf, s.number) }, `Compare with #${s.replayOf}`) : undefined],
  ];
}

/** Names the account that was paused because of this request, and until when if Gemini said so. */
function pausedNow(d: Detail): string | undefined {
  const last = lastCall(d);
  if (last?.status !== 429 || !last.account) return undefined;
  const until = new Date(new Date(d.summary.at).getTime() + last.at + last.duration + last.wait);
  const end = last.wait > 0 ? ` until ${format.dateTime(until.toISOString())}` : '';
  return `${short(last.account, 40)}${end}, since this request`;
}

/** Says that another model answered, or that the model will be shut down. */
export function modelWarnings(d: Detail): HTMLElement | null {
  const warnings = d.summary.modelWarnings ?? [];
  return warnings.length === 0 ? null : el('div', { class: 'model-warnings' }, ...warnings.map((w) => el('p', {}, short(w, 600))));
}

const longMessage = 700;

/** Shows the error that the client received. A click on its place in the request calls show. */
export function failure(d: Detail, show: (pointer: string) => void): HTMLElement | null {
  const e = d.summary.error;
  if (d.summary.canceled) return el('p', { class: 'failure' }, 'The client disconnected before the response was complete.');
  if (!e?.message) return null;
  const pointer = /(?<![\w:/.])\/[A-Za-z_][\w~]*(?:\/[\w~]+)*/.exec(e.message)?.[0];
  const canShow = pointer !== undefined && d.client.request !== undefined && d.tries.length === 0 && e.code !== 'unknown_url';
  return el('div', { class: 'failure' }, el('p', {}, 'Returned to the client: ', el('code', {}, [e.type, e.code].filter(Boolean).join(' · ')), ' ',
    short(e.message, longMessage), ' ',
    canShow ? el('button', { type: 'button', class: 'link', onclick: () => show(pointer) }, `Show ${pointer}`) : null),
  e.message.length > longMessage ? el('details', {}, el('summary', {}, 'The whole message'), el('p', { tabindex: 0 }, e.message)) : null);
}
