// The exchanges that the page knows, as the server reports them.

import type { News, Summary } from './types';

/** All exchanges of the list, by number. */
export class Exchanges {
  /** The newest news, undefined before the first. */
  state: News | undefined;
  private readonly all = new Map<number, Summary>();
  private readonly numbers = new Map<string, number>();
  private sorted: Summary[] | undefined;

  /** Takes news. The first news of a connection replaces everything. */
  apply(news: News, isFirst: boolean): void {
    if (isFirst || news.reset) {
      this.all.clear();
      this.numbers.clear();
    }
    for (const s of news.exchanges) {
      this.all.set(s.number, compact(s));
      this.numbers.set(s.id, s.number);
    }
    for (const number of news.gone ?? []) {
      const s = this.all.get(number);
      if (s) this.drop(s);
    }
    const pinned = new Set(news.pinned ?? []);
    for (const [number, s] of this.all) {
      if (number < news.oldest && !pinned.has(number)) this.drop(s);
    }
    this.state = { ...news, exchanges: [] };
    this.sorted = undefined;
  }

  get size(): number {
    return this.all.size;
  }

  get(number: number): Summary | undefined {
    return this.all.get(number);
  }

  /** Finds an exchange by its request id or its number. */
  find(id: string): Summary | undefined {
    return this.all.get(this.numbers.get(id) ?? (/^\d+$/.test(id) ? Number(id) : 0));
  }

  /** Returns the name of an exchange in addresses: its request id, or its number if others share the id. */
  nameOf(s: Summary): string {
    return this.numbers.get(s.id) === s.number ? s.id : String(s.number);
  }

  /** Returns all exchanges, the newest first. */
  newest(): Summary[] {
    this.sorted ??= [...this.all.values()].sort((a, b) => b.number - a.number);
    return this.sorted;
  }

  private drop(s: Summary): void {
    this.all.delete(s.number);
    if (this.numbers.get(s.id) === s.number) this.numbers.delete(s.id);
  }
}

const shared = new Map<string, string>();

/** Lets the exchanges share equal strings, so that ten thousand of them take little memory. */
function compact(s: Summary): Summary {
  if (shared.size > 5000) shared.clear();
  const share = (text: string): string => {
    if (text === '') return '';
    const known = shared.get(text);
    if (known === undefined) shared.set(text, text);
    return known ?? text;
  };
  for (const name of ['form', 'method', 'path', 'client', 'userAgent', 'remote', 'model', 'upstreamModel', 'finishReason'] as const) {
    s[name] = share(s[name] ?? '');
  }
  if (s.cost) s.cost.source = share(s.cost.source);
  if (s.error && s.error.message === '') delete s.error;
  return s;
}
