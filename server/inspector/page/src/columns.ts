// The columns of the list: what they show, how they sort, and which of them are chosen.

import { el } from './dom';
import * as format from './format';
import { phasesBar } from './phases';
import { recall, remember } from './remembered';
import type { Row } from './rows';
import { isConverted } from './sides';
import { statusBadge } from './status';
import { short } from './text';
import type { Match, Summary } from './types';

type Cell = (Node | string)[];

/** What cells need apart from their row. */
export interface Context {
  /** The longest duration among the rows. */
  longest: number;
  matches: Record<string, Match[]>;
}

export interface Column {
  id: string;
  name: string;
  title?: string;
  /** The width as a track of the grid, and the least width in pixels. */
  track: string;
  least: number;
  isNumber?: boolean;
  /** Columns with a higher rank leave first where there is no room. */
  rank: number;
  isDefault: boolean;
  order: (s: Summary) => number | string;
  cell: (row: Row, context: Context) => Cell;
}

const dash = '–';
const fixed = (width: number, least = width): { track: string; least: number } => ({ track: `minmax(${least}px, ${width}px)`, least });
const wide = (least: number, share: number): { track: string; least: number } => ({ track: `minmax(${least}px, ${share}fr)`, least });
const quiet = (text: string, title?: string): HTMLElement => el('span', { class: 'quiet', title }, text);
const inMilliseconds = (s: Summary, ms: number): string => (s.running ? '…' : ms > 0 ? format.duration(ms) : dash);

export const columns: Column[] = [
  {
    id: 'time', name: 'Time', ...fixed(104, 64), rank: 0, isDefault: true, order: (s) => s.number,
    cell: ({ s }) => [el('span', { title: format.dateTime(s.at) }, format.time(s.at))],
  },
  {
    id: 'client', name: 'Client', ...wide(84, 1), rank: 4, isDefault: true, order: clientOf,
    cell: ({ s }) => [short(clientOf(s), 60) || dash],
  },
  { id: 'model', name: 'Model', ...wide(96, 1.6), rank: 0, isDefault: true, order: (s) => s.model, cell: models },
  {
    id: 'prompt', name: 'Prompt', title: 'The beginning of the last user message', ...wide(84, 2), rank: 2, isDefault: true,
    order: (s) => s.preview ?? '', cell: prompt,
  },
  {
    id: 'endpoint', name: 'Endpoint', ...wide(120, 1), rank: 10, isDefault: false, order: (s) => s.path,
    cell: ({ s }) => [short(s.path, 120)],
  },
  {
    id: 'account', name: 'Account', ...wide(80, 1), rank: 11, isDefault: false, order: (s) => s.account ?? '',
    cell: ({ s }) => [s.account || dash],
  },
  { id: 'status', name: 'Status', ...fixed(118, 72), rank: 0, isDefault: true, order: (s) => s.status, cell: status },
  {
    id: 'finish', name: 'Finish reason', ...fixed(96), rank: 12, isDefault: false, order: (s) => s.finishReason,
    cell: ({ s }) => [s.finishReason || dash],
  },
  {
    id: 'duration', name: 'Duration', ...fixed(76, 62), isNumber: true, rank: 3, isDefault: true, order: (s) => s.duration,
    cell: ({ s, job }) => [job ? dash : inMilliseconds(s, s.duration)],
  },
  {
    id: 'phases', name: 'Timing', title: 'Where the time went', ...fixed(104), rank: 5, isDefault: true, order: (s) => s.duration,
    cell: ({ s, job }, { longest }) => (job || s.running ? [] : [phasesBar(s, longest)]),
  },
  {
    id: 'first', name: 'First token', title: 'Time to first token', ...fixed(82), isNumber: true, rank: 7, isDefault: true,
    order: (s) => s.firstToken, cell: ({ s, job }) => [job ? dash : inMilliseconds(s, s.firstToken)],
  },
  {
    id: 'tokens', name: 'Tokens', title: 'Input → output tokens; output includes thinking', ...fixed(108), isNumber: true,
    rank: 8, isDefault: true, order: (s) => s.tokens.total, cell: ({ s }) => [tokens(s)],
  },
  {
    id: 'cost', name: 'Cost', ...fixed(80), isNumber: true, rank: 9, isDefault: true, order: (s) => s.cost?.amount ?? 0,
    cell: ({ s }) => [s.cost ? format.money(s.cost.amount, s.cost.currency) : dash],
  },
  {
    id: 'losses', name: 'Losses', ...fixed(76, 66), rank: 1, isDefault: true, order: (s) => s.lost * 10_000 + s.approximated,
    cell: losses,
  },
];

/** Returns the name of a client, or what it calls itself without its version. */
export function clientOf(s: Summary): string {
  return s.client || s.userAgent.split(/[\s(]/)[0].slice(0, 40);
}

/** Returns the models of a request: what the client asked for, what the upstream was asked for, and what answered. */
export function modelsOf(s: Summary): string[] {
  const names = [s.model, s.askedModel ?? '', s.upstreamModel].filter((name) => name !== '');
  return names.filter((name, i) => name !== names[i - 1]).map((name) => short(name, 100));
}

function models({ s }: Row): Cell {
  const [asked = short(s.path), ...others] = modelsOf(s);
  const title = s.modelWarnings?.map((warning) => short(warning, 300)).join('\n') ?? null;
  return [asked, ...others.flatMap((model) => [el('span', { class: 'arrow' }, ' → '), el('span', { class: 'upstream', title }, model)])];
}

/** This much of the text before a hit is in the cell, so that the hit is in view. */
const shownBefore = 10;

function prompt({ s, job }: Row, { matches }: Context): Cell {
  if (job) return [el('strong', {}, `Job ${short(job.id, 40)}`), ' ', quiet(format.plural(job.lines, 'line'))];
  const match = matches[s.number]?.[0];
  if (match) {
    const { where, before, hit, after } = match;
    const start = before.length > shownBefore ? `…${before.slice(-shownBefore)}` : before;
    return [el('span', { title: `${where}: ${before}${hit}${after}` },
      start, el('mark', {}, short(hit, 60)), after.slice(0, 60), ' ', quiet(`(${where})`))];
  }
  return [s.preview ? el('span', { title: s.preview }, s.preview) : quiet(dash)];
}

function status({ s, job }: Row): Cell {
  if (!job) return [statusBadge(s), ...(s.pinned ? [' ', el('span', { class: 'pin', title: 'Pinned' }, '★')] : [])];
  if (job.failed > 0) return [el('span', { class: 'badge bad' }, `${format.count(job.failed)} failed`)];
  return [job.running > 0 ? el('span', { class: 'badge running' }, 'running') : el('span', { class: 'badge good' }, 'answered')];
}

function tokens(s: Summary): string {
  if (s.tokens.total === 0) return dash;
  return `${s.tokens.estimated ? '≈ ' : ''}${format.short(s.tokens.input)} → ${format.short(s.tokens.output)}`;
}

function losses({ s }: Row): Cell {
  if (s.lost > 0) return [el('span', { class: 'badge lost' }, `${format.short(s.lost)} lost`)];
  if (s.approximated > 0) return [quiet(`${format.short(s.approximated)} changed`, 'Values that were converted')];
  const converts = s.status < 400 && isConverted(s) && s.form !== 'models';
  return [quiet(s.running ? '' : converts ? 'none' : dash)];
}

const storage = 'columns';

/** Returns the ids of the chosen columns. */
export function chosen(): string[] {
  const saved = recall(storage)?.split(',').filter((id) => columns.some((c) => c.id === id));
  return saved && saved.length > 0 ? saved : columns.filter((c) => c.isDefault).map((c) => c.id);
}

/** Remembers the chosen columns; undefined forgets the choice. */
export function choose(ids: string[] | undefined): void {
  remember(storage, ids?.join(','));
}

const gap = 14;

/** Columns of the three lines that a row has on a narrow page. */
const narrow = ['time', 'model', 'prompt', 'status', 'duration', 'losses'];

/** Returns the chosen columns for which a width has room. */
export function fitting(width: number): Column[] {
  if (matchMedia('(max-width: 600px)').matches) return columns.filter((c) => narrow.includes(c.id));
  const ids = chosen();
  const shown = columns.filter((c) => ids.includes(c.id));
  const room = (): number => shown.reduce((sum, c) => sum + c.least + gap, gap);
  while (shown.length > 2 && room() > width) {
    const last = shown.reduce((a, b) => (b.rank >= a.rank ? b : a));
    shown.splice(shown.indexOf(last), 1);
  }
  return shown;
}
