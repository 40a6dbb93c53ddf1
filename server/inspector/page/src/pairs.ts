// Which result belongs to which tool call.

import type { Message, Part } from './types-talk';

/** Returns the result of each call: by id, else the first later result of the same name. */
export function resultsOf(messages: Message[]): Map<Part, Part> {
  const pairs = new Map<Part, Part>();
  const waiting: Part[] = [];
  for (const part of messages.flatMap((m) => m.parts ?? [])) {
    if (part.kind === 'call') waiting.push(part);
    const at = part.kind === 'result' ? matching(waiting, part) : -1;
    if (at < 0) continue;
    pairs.set(waiting[at], part);
    waiting.splice(at, 1);
  }
  return pairs;
}

function matching(calls: Part[], result: Part): number {
  const byID = result.id ? calls.findIndex((c) => c.id === result.id) : -1;
  if (byID >= 0) return byID;
  return calls.findIndex((c) => c.name === result.name && (!c.id || !result.id));
}

/** Reports whether a result says that the tool failed, in the members that clients use for it. */
export function hasFailed(result: Part): boolean {
  let value: unknown;
  try {
    value = JSON.parse(result.json || 'null');
  } catch {
    return false; // The recorded result is not complete.
  }
  return isFailure(value) ||
    (isObject(value) && (isFailure(value.output) || isFailure(value.result)));
}

function isFailure(value: unknown): boolean {
  if (typeof value === 'string') return /^\W*(error|traceback)\b/i.test(value);
  if (!isObject(value)) return false;
  return Boolean(value.error) || value.isError === true || value.is_error === true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
