// The calls of the upstream: the attempts to answer, and look-ups of models.

import type { Attempt, Detail, Try } from './types';

export interface Call {
  label: string;
  /** Whether it only asked which models there are. */
  isLookUp: boolean;
  account: string;
  model: string;
  status: number;
  error: string;
  isGood: boolean;
  /** In milliseconds after the start. A stream lasts until its last chunk. */
  from: number;
  to: number;
  firstChunk?: number;
  /** How long the gateway waited before the next attempt, and how long the server asked it to wait. */
  wait: number;
  asked: number;
}

/** Returns the calls in their order. */
export function callsOf(d: Detail): Call[] {
  const tries = triesOf(d);
  let count = 0;
  return d.attempts.map((a, i) => {
    const isLookUp = isLookUpOf(a);
    if (!isLookUp) count++;
    const answered = a.at + a.duration;
    const isGood = a.status >= 200 && a.status < 300;
    const next = d.attempts.slice(i + 1).find((later) => !isLookUpOf(later));
    const chunks = (tries.get(a)?.chunks ?? []).map((c) => c.at);
    // Without bodies no chunk is known: a stream lasts until the end of the exchange.
    const isStream = !next && isGood && d.summary.stream && !isLookUp;
    const [first, last] = chunks.length > 0 ? ends(chunks) : [answered, isStream && !d.summary.running ? d.summary.duration : answered];
    return {
      label: isLookUp ? 'Look-up of models' : `Attempt ${count}`, isLookUp, account: a.account, model: a.model, status: a.status,
      error: a.error, isGood, from: a.at, to: Math.max(answered, last), firstChunk: isStream || chunks.length > 0 ? first : undefined,
      wait: next && !isGood && !isLookUp ? Math.max(0, next.at - answered) : 0, asked: a.wait,
    };
  });
}

/** Returns the least and the greatest of many numbers. */
function ends(values: number[]): [number, number] {
  let [least, most] = [values[0], values[0]];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/** Returns the recorded conversation of each attempt. */
function triesOf(d: Detail): Map<Attempt, Try> {
  const attempts = d.attempts.filter((a) => !isLookUpOf(a));
  const found = new Map<Attempt, Try>();
  // Attempts of other kinds are not recorded, and always come first: the last ones belong together.
  attempts.forEach((a, i) => {
    const t = d.tries[i + d.tries.length - attempts.length];
    if (t) found.set(a, t);
  });
  return found;
}

/** Reports whether a call only asked which models there are: such a call is for no model. */
const isLookUpOf = (a: Attempt): boolean => a.model === '';

/** Returns the last call that asked a model, or the last look-up if no model was asked. */
export const lastCall = (d: Detail): Attempt | undefined =>
  d.attempts.filter((a) => !isLookUpOf(a)).at(-1) ?? d.attempts.at(-1);
