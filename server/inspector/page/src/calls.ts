// The calls of the upstream: the attempts to answer, and look-ups of models.

import type { Detail, Try } from './types';

export interface Call {
  label: string;
  /** Whether it only asked what the model can do. */
  isLookUp: boolean;
  number: number;
  account: string;
  model: string;
  status: number;
  error: string;
  isGood: boolean;
  /** In milliseconds after the start. A stream lasts until its last chunk. */
  from: number;
  to: number;
  firstChunk?: number;
  /** How long the gateway waited before the next attempt. */
  wait: number;
}

/** Returns the calls in their order. */
export function callsOf(d: Detail): Call[] {
  const tries = triesOf(d);
  let count = 0;
  return d.attempts.map((a, i) => {
    const t = tries[i];
    const isLookUp = isLookUpOf(t);
    if (!isLookUp) count++;
    const isLast = i === d.attempts.length - 1;
    const chunks = t ? [...t.chunks, ...(t.between?.chunks ?? [])].map((c) => c.at) : [];
    const answered = a.at + a.duration;
    const isGood = a.status >= 200 && a.status < 300;
    // Without bodies no chunk is known: a stream that was answered lasts until the end of the exchange.
    const streamed = isLast && isGood && d.summary.stream && !d.summary.running && !isLookUp ? d.summary.duration : 0;
    const to = chunks.length > 0 ? Math.max(answered, ...ends(chunks)) : Math.max(answered, streamed);
    return {
      label: isLookUp ? 'Look-up of the model' : `Attempt ${count}`, isLookUp, number: isLookUp ? 0 : count,
      account: a.account, model: a.model, status: a.status, error: a.error, isGood, from: a.at, to,
      firstChunk: chunks.length > 0 ? ends(chunks)[0] : to > answered ? answered : undefined,
      wait: a.wait > 0 ? a.wait : 0,
    };
  });
}

/** Returns the least and the greatest of many numbers. */
function ends(values: number[]): [number, number] {
  let [least, most] = [values[0], values[0]];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/** Returns the conversation of each attempt, as far as it is recorded. */
function triesOf(d: Detail): (Try | undefined)[] {
  if (d.tries.length === d.attempts.length) return d.tries;
  // The request of an attempt is the last one that began before its answer.
  return d.attempts.map((a) => d.tries.findLast((t) => t.request !== undefined && t.request.at <= a.at + a.duration));
}

/** Reports whether a call asks about a model, and not for an answer of it. */
function isLookUpOf(t: Try | undefined): boolean {
  const request = t?.request;
  return request?.method === 'GET' && /\/models(\/[^:]*)?(\?|$)/.test(request.url ?? '');
}
