// Where a text stops being JSON, and what should stand there. Browsers say it in different ways,
// or not at all.

export interface Wrong {
  at: number;
  line: number;
  column: number;
  message: string;
}

const plain = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const space = /[ \t\r\n]*/y;

/** What may come next: a value, the name of a member, a colon, or what follows a value. */
type Expected = 'value' | 'name' | 'colon' | 'next';

/** Returns the first place that cannot be JSON, or undefined for JSON. */
export function wrongPlace(text: string): Wrong | undefined {
  const reader = new Reader(text);
  for (;;) {
    const message = reader.step();
    if (message === undefined) continue;
    return message === '' ? undefined : place(text, reader.at, message);
  }
}

/** Reads a text, token by token. */
class Reader {
  at = 0;
  private readonly open: string[] = [];
  private expected: Expected = 'value';
  private mayClose = false; // after the beginning of a list or an object

  constructor(private readonly text: string) {}

  /** Reads a token. It returns "" at the end of JSON, and a message if the text is wrong. */
  step(): string | undefined {
    this.take(space);
    const sign = this.text[this.at];
    const isWhole = this.expected === 'next' && this.open.length === 0;
    if (sign === undefined) return isWhole ? '' : 'the text ends too early';
    if (isWhole) return 'expected the end of the text';
    const close = this.open.at(-1) === '{' ? '}' : ']';
    if (sign === close && this.open.length > 0 && (this.mayClose || this.expected === 'next')) {
      this.open.pop();
      return this.go('next');
    }
    this.mayClose = false;
    switch (this.expected) {
      case 'next':
        if (sign !== ',') return `expected a comma or ${close}`;
        return this.go(close === '}' ? 'name' : 'value');
      case 'colon':
        return sign === ':' ? this.go('value') : 'expected a colon';
      case 'name':
        return sign === '"' ? this.string('colon') : 'expected a name in quotation marks';
      default:
        return this.value(sign);
    }
  }

  private value(sign: string): string | undefined {
    if (sign === '"') return this.string('next');
    if (sign === '{' || sign === '[') {
      this.open.push(sign);
      this.mayClose = true;
      return this.go(sign === '{' ? 'name' : 'value');
    }
    if (!this.take(scalar)) return 'expected a value';
    this.expected = 'next';
    return undefined;
  }

  private string(then: Expected): string | undefined {
    const begin = this.at++;
    do this.take(plain); while (this.take(escape));
    if (this.text[this.at] === '"') return this.go(then);
    this.at = begin;
    return 'this string has no end, or a wrong escape';
  }

  /** Passes a sign. */
  private go(then: Expected): undefined {
    this.at++;
    this.expected = then;
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found !== null;
  }
}

function place(text: string, at: number, message: string): Wrong {
  const before = text.slice(0, at).split('\n');
  return { at, line: before.length, column: before[before.length - 1].length + 1, message };
}
