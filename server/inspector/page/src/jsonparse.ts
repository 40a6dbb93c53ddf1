// A parser of JSON that keeps how values are written, such as 0.20.

export type TokenClass = 'key' | 'string' | 'number' | 'word' | 'mark';

/** A value, and its lines on the page once it is laid out. */
export interface Value {
  raw: string;
  kind: TokenClass;
  open?: '{' | '[';
  members?: Member[];
  /** The length of the value in one line. */
  size: number;
  /** The first line, and the line after the last one; 0 for a value within the line of another. */
  from: number;
  to: number;
}

/** A member of an object, with its key as it is written, or of an array. */
export interface Member { key?: string; value: Value }

/** Returns the name of a member of an object. */
export const nameOf = (member: Member): string => decode(member.key ?? '');

const mostDepth = 400;

/** Reads a JSON text. It returns undefined for a text that is not JSON. */
export function parse(text: string): Value | undefined {
  const reader = new Reader(text);
  const found = reader.value(0);
  return found && reader.isAtEnd() ? found : undefined;
}

const space = new Set([0x20, 0x09, 0x0a, 0x0d]);

class Reader {
  private at = 0;
  private readonly scalar = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.skip();
    return this.at === this.text.length;
  }

  value(depth: number): Value | undefined {
    this.skip();
    const open = this.text[this.at];
    if (open === '"') {
      const raw = this.quoted();
      return raw === undefined ? undefined : leaf(raw, 'string');
    }
    if (open === '{' || open === '[') return depth > mostDepth ? undefined : this.container(open, depth);
    this.scalar.lastIndex = this.at;
    const raw = this.scalar.exec(this.text)?.[0];
    if (raw === undefined) return undefined;
    this.at += raw.length;
    return leaf(raw, /^[-\d]/.test(raw) ? 'number' : 'word');
  }

  private container(open: '{' | '[', depth: number): Value | undefined {
    this.at++;
    const close = open === '{' ? '}' : ']';
    const members: Member[] = [];
    const value: Value = { raw: '', kind: 'mark', open, members, size: 2, from: 0, to: 0 };
    if (this.takes(close)) return { ...value, raw: open + close };
    do {
      const member = this.member(open, depth);
      if (!member) return undefined;
      members.push(member);
      value.size += member.value.size + (member.key === undefined ? 0 : member.key.length + 2) + (members.length > 1 ? 2 : 0);
    } while (this.takes(','));
    return this.takes(close) ? value : undefined;
  }

  private member(open: '{' | '[', depth: number): Member | undefined {
    this.skip();
    const key = open === '{' ? this.quoted() : undefined;
    if (open === '{' && (key === undefined || !this.takes(':'))) return undefined;
    const value = this.value(depth + 1);
    return value && { key, value };
  }

  /** Reads a string with its quotes. */
  private quoted(): string | undefined {
    if (this.text[this.at] !== '"') return undefined;
    let end = this.at;
    do {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) return undefined;
    } while (this.isEscaped(end));
    const raw = this.text.slice(this.at, end + 1);
    this.at = end + 1;
    return raw;
  }

  /** Reports whether an odd number of backslashes stands before a position. */
  private isEscaped(at: number): boolean {
    let from = at;
    while (this.text[from - 1] === '\\') from--;
    return (at - from) % 2 === 1;
  }

  private takes(sign: string): boolean {
    this.skip();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private skip(): void {
    while (space.has(this.text.charCodeAt(this.at))) this.at++;
  }
}

const leaf = (raw: string, kind: TokenClass): Value => ({ raw, kind, size: raw.length, from: 0, to: 0 });

function decode(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
