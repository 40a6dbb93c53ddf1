// Bulk jobs: the progress of each over time, and the failed lines.

import * as api from './api';
import { byId, el, fill, svg } from './dom';
import * as format from './format';
import * as route from './route';
import type { Failure, Job } from './types';
import { offer, type View } from './views';

const every = 2000;
const width = 640;
const height = 96;

let openID = '';
let isOpen = false;
let shown: Job[] = [];
let failed: { id: string; count: number; lines: Failure[] } | undefined;
let wrong = '';
let timer = 0;
let isFirst = true;

/** The view of the jobs, which is offered where there can be any. */
export const view: View = {
  id: 'jobs', label: 'Jobs', isOffered: false,
  show: (id) => {
    [openID, isOpen] = [id, true];
    draw();
    void ask();
  },
  hide: () => { isOpen = false; },
};

/** Asks whether there can be jobs. */
export const start = (): void => void ask();

/** Asks how far the jobs are, again and again while they are shown. */
async function ask(): Promise<void> {
  clearTimeout(timer);
  try {
    const answer = await api.jobs();
    offer('jobs', answer.shown);
    shown = answer.jobs ?? [];
    wrong = '';
    await askFailures();
  } catch (error) {
    wrong = (error as Error).message;
  }
  isFirst = false;
  if (!isOpen) return;
  draw();
  timer = setTimeout(() => void ask(), every);
}

/** Asks for the failed lines of the job that is open, when there are more of them. */
async function askFailures(): Promise<void> {
  const job = shown.find((j) => j.id === openID);
  if (!job || (job.failed === 0 && job.state !== 'failed')) return;
  if (failed?.id === job.id && failed.count === job.failed) return;
  failed = { id: job.id, count: job.failed, lines: (await api.failures(job.id)) ?? [] };
}

/** Draws the jobs again. */
export function draw(): void {
  if (!isOpen) return;
  const panel = byId('jobs');
  const focused = document.activeElement instanceof HTMLElement && panel.contains(document.activeElement) ? document.activeElement.dataset.job : undefined;
  const scrolled = panel.scrollTop;
  const job = shown.find((j) => j.id === openID);
  fill(panel, wrong === '' ? null : el('p', { class: 'lost', role: 'alert' }, wrong), shown.length === 0 ? nothing() : table(), job ? detail(job) : null);
  panel.scrollTop = scrolled;
  if (focused) panel.querySelector<HTMLElement>(`[data-job="${CSS.escape(focused)}"]`)?.focus();
}

function nothing(): HTMLElement {
  if (isFirst) return el('p', { class: 'loading' }, 'Loading…');
  return el('div', { class: 'state' }, el('h2', {}, 'No jobs yet'), el('p', {}, 'Batches that clients create at the gateway, and jobs of gemwire batch on the same store, appear here.'));
}

const words: Record<string, string> = { in_progress: 'in progress' };

function badge(job: Job): HTMLElement {
  const look = { completed: 'good', failed: 'bad', expired: 'warn', cancelled: 'warn', cancelling: 'warn' }[job.state] ?? 'running';
  return el('span', { class: `badge ${look}`, title: job.resting || null }, job.resting ? 'paused' : (words[job.state] ?? job.state));
}

const done = (job: Job): number => job.completed + job.failed;
const percent = (job: Job): number => (job.total > 0 ? Math.floor((100 * done(job)) / job.total) : 0);
const cost = (job: Job): string => (job.currency ? format.money(job.cost, job.currency) : '–');

function table(): HTMLElement {
  const rows = shown.map((job) => el('tr', { class: job.id === openID ? 'current' : null },
    el('td', {}, format.dateTime(job.createdAt)),
    el('td', {}, el('a', { href: route.path('jobs', job.id), 'data-job': job.id, 'aria-current': job.id === openID ? 'true' : null }, job.id)),
    el('td', {}, job.client || '–'), el('td', {}, job.model || '–'), el('td', {}, badge(job)),
    el('td', { class: 'num' }, job.total > 0 ? `${percent(job)} %` : '–'),
    el('td', { class: 'num' }, job.total > 0 ? `${format.count(done(job))} of ${format.count(job.total)}` : '–'),
    el('td', { class: 'num' }, job.failed > 0 ? el('span', { class: 'badge bad' }, format.count(job.failed)) : '0'),
    el('td', { class: 'num' }, `${format.short(job.inputTokens)} → ${format.short(job.outputTokens)}`),
    el('td', { class: 'num' }, cost(job))));
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'All jobs, the newest first' }, el('table', {},
    headers(['Created', 'Job', 'Client', 'Model', 'State'], ['Done', 'Lines', 'Failed', 'Tokens', 'Cost']), el('tbody', {}, ...rows)));
}

/** Makes the head of a table, of texts and then of numbers. */
function headers(texts: string[], numbers: string[]): HTMLElement {
  return el('thead', {}, el('tr', {}, ...texts.map((text) => el('th', { scope: 'col' }, text)), ...numbers.map((text) => el('th', { scope: 'col', class: 'num' }, text))));
}

function detail(job: Job): HTMLElement {
  const facts: [string, string][] = [
    ['Requests', job.endpoint || '–'], ['Lines', `${format.count(job.completed)} answered, ${format.count(job.failed)} failed, of ${format.count(job.total)}`],
    ['Rate', rate(job)], ['Possible duplicates', format.count(job.repeated)], ['Cost', cost(job)],
  ];
  if (job.resting) facts.unshift(['Paused until', job.resting]);
  return el('article', { 'aria-label': `Job ${job.id}` }, el('h2', {}, job.id),
    el('p', {}, el('a', { href: route.path('requests', '', { job: job.id }) }, 'Show its lines in the list of requests')),
    el('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    figure(job), failureList(job));
}

/** Returns how many lines a second come, lately or in all. */
function rate(job: Job): string {
  const points = (job.progress ?? []).slice(job.hasEnded ? 0 : -10);
  if (points.length < 2) return '–';
  const [from, to] = [points[0], points[points.length - 1]];
  const seconds = (to[0] - from[0]) / 1000;
  const each = (to[1] + to[2] - from[1] - from[2]) / Math.max(seconds, 0.001);
  const left = job.total - done(job);
  const rest = !job.hasEnded && each > 0 && left > 0 ? `, ${format.duration((1000 * left) / each)} left` : '';
  return `${format.short(each)} lines/s${rest}`;
}

/** Draws how many lines were done over time. */
function figure(job: Job): HTMLElement {
  const points = job.progress ?? [];
  if (points.length < 2) return el('figure', {});
  const first = points[0][0];
  const span = Math.max(1, points[points.length - 1][0] - first);
  const most = Math.max(1, job.total, done(job));
  const place = (at: number, lines: number): string => `${(((at - first) / span) * width).toFixed(1)},${(height - 1 - (lines / most) * (height - 4)).toFixed(1)}`;
  const area = (lines: (p: [number, number, number]) => number): string =>
    `0,${height - 1} ${points.map((p) => place(p[0], lines(p))).join(' ')} ${width},${height - 1}`;
  const text = `${percent(job)} % done after ${format.duration(span)}, ${format.count(job.failed)} failed`;
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Lines over time: ${text}` },
    svg('polygon', { class: 'j-done', points: area((p) => p[1] + p[2]) }), svg('polygon', { class: 'j-failed', points: area((p) => p[2]) }),
    svg('line', { class: 'base', x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }));
  return el('figure', {}, el('figcaption', {}, el('span', { class: 'name' }, 'Lines over time'), ' ', el('span', { class: 'total' }, text)), drawing);
}

function failureList(job: Job): HTMLElement | null {
  const kinds = Object.entries(job.failures ?? {}).sort((a, b) => b[1] - a[1]);
  const lines = failed?.id === job.id ? failed.lines : [];
  if (kinds.length === 0 && lines.length === 0) return null;
  const rows = lines.map((f) => el('tr', {}, el('td', {}, f.line > 0 ? format.count(f.line) : '–'), el('td', {}, f.customID || '–'),
    el('td', {}, f.status > 0 ? f.status : '–'), el('td', {}, f.code || '–'), el('td', {}, f.message)));
  return el('section', { 'aria-label': 'Failed lines' }, el('h3', {}, lines.length > 0 ? `Failed lines (${format.count(lines.length)} of ${format.count(Math.max(job.failed, lines.length))})` : 'Failed lines'),
    el('ul', { class: 'kinds' }, ...kinds.map(([kind, n]) => el('li', {}, el('span', { class: 'badge bad' }, format.count(n)), ` ${kind}`))),
    lines.length === 0 ? null : el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The first failed lines' }, el('table', {},
      headers(['Line', 'Id', 'Status', 'Code', 'Reason'], []), el('tbody', {}, ...rows))));
}
