// The rows of the list. The lines of a bulk job are one row.

import type { Summary } from './types';

export interface Row {
  key: string;
  /** The exchange, or the sums of a job's lines with the rest from the newest line. */
  s: Summary;
  job?: { id: string; lines: number; failed: number; running: number };
}

/** Returns a row for each exchange, and one for all lines of each job. */
export function fold(exchanges: Summary[]): Row[] {
  const rows: Row[] = [];
  const jobs = new Map<string, Row>();
  for (const s of exchanges) {
    if (!s.job) {
      rows.push(rowOf(s));
      continue;
    }
    let row = jobs.get(s.job);
    if (!row) {
      row = { key: `job:${s.job}`, s: empty(s), job: { id: s.job, lines: 0, failed: 0, running: 0 } };
      jobs.set(s.job, row);
      rows.push(row);
    }
    add(row, s);
  }
  return rows;
}

/** Returns a row for each exchange, also for each line of a job. */
export const unfolded = (exchanges: Summary[]): Row[] => exchanges.map(rowOf);

const made = new WeakMap<Summary, Row>();

/** Returns the row of an exchange, which is made once. */
function rowOf(s: Summary): Row {
  let row = made.get(s);
  if (!row) made.set(s, (row = { key: String(s.number), s }));
  return row;
}

const empty = (s: Summary): Summary => ({
  ...s, lost: 0, approximated: 0, duration: 0, firstToken: 0, cost: undefined, error: undefined,
  tokens: { input: 0, output: 0, thinking: 0, cached: 0, total: 0, estimated: false },
});

function add(row: Row, s: Summary): void {
  const { s: sum, job } = row;
  job!.lines++;
  if (s.running) job!.running++;
  else if (isFailed(s)) job!.failed++;
  sum.lost += s.lost;
  sum.approximated += s.approximated;
  sum.duration = Math.max(sum.duration, s.duration);
  for (const name of ['input', 'output', 'thinking', 'cached', 'total'] as const) sum.tokens[name] += s.tokens[name];
  sum.tokens.estimated ||= s.tokens.estimated;
  if (s.cost) sum.cost = { ...s.cost, amount: (sum.cost?.amount ?? 0) + s.cost.amount };
}

/** Reports whether an exchange went wrong for its client. */
export function isFailed(s: Summary): boolean {
  return !s.running && (s.status >= 400 || s.canceled || !!s.error?.message || isBlocked(s));
}

/** Reports whether Gemini withheld its answer. */
export function isBlocked(s: Summary): boolean {
  return s.finishReason === 'content_filter' || s.failure === 'blocked';
}
