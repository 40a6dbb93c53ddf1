// JSON as lines, with the texts of numbers and strings as they were written, and the pointer of each line.

export type TokenClass = 'key' | 'string' | 'number' | 'word' | 'mark';
export interface Token { kind: TokenClass; text: string }
export interface Line { depth: number; pointer: string; tokens: Token[] }
export interface Layout {
  lines: Line[];
  /** By pointer: the first line of each value, and the line after its last line. */
  ranges: Map<string, [number, number]>;
}

interface Value { raw: string; kind: TokenClass; members?: { key?: string; name: string; value: Value }[]; open?: string }

/** Lays out a JSON text; undefined for what is no JSON. */
export function layout(text: string): Layout | undefined {
  const value = parse(text);
  if (!value) return undefined;
  const out: Layout = { lines: [], ranges: new Map() };
  write(out, value, '', 0, [], false);
  return out;
}

/** Returns the lines of a value, or of the nearest one around it that has lines of its own. */
export function rangeOf(found: Layout, pointer: string): [number, number] | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const range = found.ranges.get(at);
    if (range || at === '') return range;
  }
}

/** Values that are no longer than this stand on one line. */
const inline = 72;

function write(out: Layout, value: Value, pointer: string, depth: number, before: Token[], comma: boolean): void {
  const from = out.lines.length;
  const tail: Token[] = comma ? [{ kind: 'mark', text: ',' }] : [];
  const flat = value.members && value.members.length > 0 ? flatten(value) : undefined;
  if (!value.members || value.members.length === 0) {
    out.lines.push({ depth, pointer, tokens: [...before, { kind: value.kind, text: value.raw }, ...tail] });
  } else if (flat && depth > 0) {
    out.lines.push({ depth, pointer, tokens: [...before, ...flat, ...tail] });
  } else {
    out.lines.push({ depth, pointer, tokens: [...before, { kind: 'mark', text: value.open! }] });
    value.members.forEach((member, i) => {
      const below = `${pointer}/${member.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      write(out, member.value, below, depth + 1, keyOf(member.key), i < value.members!.length - 1);
    });
    out.lines.push({ depth, pointer, tokens: [{ kind: 'mark', text: value.open === '{' ? '}' : ']' }, ...tail] });
  }
  out.ranges.set(pointer, [from, out.lines.length]);
}

const keyOf = (key?: string): Token[] => (key === undefined ? [] : [{ kind: 'key', text: key }, { kind: 'mark', text: ': ' }]);

/** Returns the tokens of a value on one line, undefined when that is too long. */
function flatten(value: Value, room = { left: inline }): Token[] | undefined {
  const take = (token: Token): Token => ((room.left -= token.text.length), token);
  if (!value.members || value.members.length === 0) {
    const token = take({ kind: value.kind, text: value.raw });
    return room.left < 0 ? undefined : [token];
  }
  const tokens: Token[] = [take({ kind: 'mark', text: value.open! })];
  for (const [i, member] of value.members.entries()) {
    if (i > 0) tokens.push(take({ kind: 'mark', text: ', ' }));
    for (const token of keyOf(member.key)) tokens.push(take(token));
    const inner = room.left < 0 ? undefined : flatten(member.value, room);
    if (!inner) return undefined;
    tokens.push(...inner);
  }
  tokens.push(take({ kind: 'mark', text: value.open === '{' ? '}' : ']' }));
  return room.left < 0 ? undefined : tokens;
}

/** Reads a JSON text, keeping how its values are written. */
function parse(text: string): Value | undefined {
  let at = 0;
  const space = /[ \t\r\n]*/y;
  const scalar = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  const quoted = /"(?:[^"\\]|\\[^])*"/y;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const next = (sign: string): boolean => {
    match(space);
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const value = (depth: number): Value | undefined => {
    match(space);
    const open = text[at];
    if (open === '"') {
      const raw = match(quoted);
      return raw === undefined ? undefined : { raw, kind: 'string' };
    }
    if (open !== '{' && open !== '[') {
      const raw = match(scalar);
      return raw === undefined ? undefined : { raw, kind: /^[-\d]/.test(raw) ? 'number' : 'word' };
    }
    if (depth > 400) return undefined;
    at++;
    const close = open === '{' ? '}' : ']';
    const members: Value['members'] = [];
    if (next(close)) return { raw: open + close, kind: 'mark', open, members };
    do {
      match(space);
      const key = open === '{' ? match(quoted) : undefined;
      if (open === '{' && (key === undefined || !next(':'))) return undefined;
      const inner = value(depth + 1);
      if (!inner) return undefined;
      members.push({ key, name: key === undefined ? String(members.length) : decode(key), value: inner });
    } while (next(','));
    return next(close) ? { raw: '', kind: 'mark', open, members } : undefined;
  };
  const found = value(0);
  match(space);
  return found && at === text.length ? found : undefined;
}

function decode(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
