// JSON as lines, with the texts of numbers and strings as they were written.

import { nameOf, parse, type TokenClass, type Value } from './jsonparse';

export type { TokenClass } from './jsonparse';

export interface Token { kind: TokenClass; text: string }
/** A line: a whole value, or where a value begins or ends. */
export interface Line { depth: number; value: Value; is: 'whole' | 'begin' | 'end'; key?: string; comma: boolean }
export interface Layout { lines: Line[]; root: Value }

/** Lays out a JSON text. It returns undefined for a text that is not JSON. */
export function layout(text: string): Layout | undefined {
  const root = parse(text);
  if (!root) return undefined;
  const lines: Line[] = [];
  write(lines, root, 0, undefined, false);
  return { lines, root };
}

/** Returns the lines of a value, or of the nearest one around it that has lines of its own. */
export function rangeOf(found: Layout, pointer: string): [number, number] {
  let at = found.root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = memberOf(at, name);
    if (!next || next.to === 0) break;
    at = next;
  }
  return [at.from, at.to];
}

function memberOf(value: Value, name: string): Value | undefined {
  if (value.open === '[') return /^\d+$/.test(name) ? value.members![Number(name)]?.value : undefined;
  return value.members?.findLast((member) => nameOf(member) === name)?.value;
}

/** Values that are no longer than this stand on one line. */
const inline = 72;

function write(lines: Line[], value: Value, depth: number, key: string | undefined, comma: boolean): void {
  value.from = lines.length;
  const { members } = value;
  if (!members || members.length === 0 || (depth > 0 && value.size <= inline)) {
    lines.push({ depth, value, is: 'whole', key, comma });
  } else {
    lines.push({ depth, value, is: 'begin', key, comma: false });
    members.forEach((member, i) => write(lines, member.value, depth + 1, member.key, i < members.length - 1));
    lines.push({ depth, value, is: 'end', comma });
  }
  value.to = lines.length;
}

const mark = (text: string): Token => ({ kind: 'mark', text });
const closing = (value: Value): Token => mark(value.open === '{' ? '}' : ']');
const keyOf = (key?: string): Token[] => (key === undefined ? [] : [{ kind: 'key', text: key }, mark(': ')]);

/** Returns what stands on a line. */
export function tokensOf(line: Line): Token[] {
  const tokens = keyOf(line.key);
  if (line.is === 'whole') tokens.push(...flat(line.value));
  else tokens.push(line.is === 'begin' ? mark(line.value.open!) : closing(line.value));
  if (line.comma) tokens.push(mark(','));
  return tokens;
}

function flat(value: Value): Token[] {
  if (!value.members || value.members.length === 0) return [{ kind: value.kind, text: value.raw }];
  const members = value.members.flatMap((member, i) => [...(i > 0 ? [mark(', ')] : []), ...keyOf(member.key), ...flat(member.value)]);
  return [mark(value.open!), ...members, closing(value)];
}
