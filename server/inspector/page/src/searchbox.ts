// The search box. The server searches everything that it keeps and completes the query. Without an
// answer of the server the page searches in what the list shows.

import * as api from './api';
import { Completions } from './completions';
import { byId } from './dom';
import * as format from './format';
import type { Match, SearchResult, Summary } from './types';

const pause = 150; // milliseconds after a key
const refreshPause = 1000; // milliseconds after news

export class SearchBox {
  matches: Record<string, Match[]> = {};
  remark = '';
  private readonly input = byId<HTMLInputElement>('filter-text');
  private query = '';
  private numbers: Set<number> | undefined; // of the server's answer
  private words: string[] = []; // for a search without the server
  private timer = 0;
  private asked = 0;

  constructor(private readonly changed: () => void) {
    new Completions(this.input, (query) => this.enter(query));
    this.input.addEventListener('input', () => this.enter(this.input.value));
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || this.input.value === '') return;
      event.preventDefault();
      this.input.value = '';
      this.enter('');
    });
  }

  get text(): string {
    return this.query;
  }

  /** Sets the query without a notice that it changed. */
  set(query: string): void {
    if (query === this.query) return;
    this.input.value = query;
    this.begin(query.trim());
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Asks the server again, as there are new exchanges. */
  refresh(): void {
    if (this.query !== '' && this.timer === 0) this.timer = setTimeout(() => void this.ask(), refreshPause);
  }

  /** Reports whether an exchange is found. */
  has(s: Summary): boolean {
    if (this.query === '') return true;
    if (this.numbers) return this.numbers.has(s.number);
    const known = textOf(s);
    return this.words.every((word) => known.includes(word));
  }

  private enter(query: string): void {
    this.begin(query.trim());
    this.changed();
  }

  private begin(query: string): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.asked++;
    this.query = query;
    this.words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
    this.numbers = undefined;
    this.matches = {};
    this.remark = '';
    this.input.removeAttribute('aria-invalid');
    if (query !== '') this.timer = setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    this.timer = 0;
    const asked = ++this.asked;
    try {
      const result = await api.search(this.query);
      if (asked === this.asked) this.take(result);
    } catch {
      if (asked !== this.asked) return;
      this.numbers = undefined; // The words are searched in what the list shows.
      this.remark = 'Searching only what the list shows.';
    }
    this.changed();
  }

  private take(result: SearchResult): void {
    if (result.error) this.input.setAttribute('aria-invalid', 'true');
    else this.input.removeAttribute('aria-invalid');
    if (result.error) {
      this.remark = result.at === undefined ? result.error : `${result.error} (at character ${result.at + 1})`;
      this.numbers = undefined;
      this.matches = {};
      return;
    }
    this.numbers = new Set(result.numbers ?? []);
    this.matches = result.matches ?? {};
    const found = Object.values(this.matches);
    const places = found.reduce((sum, matches) => sum + matches.length, 0);
    // The server returns the matches of the newest requests only.
    const where = `${format.plural(places, 'match', 'matches')} in ${found.length < result.total ? 'the newest ' : ''}${format.plural(found.length, 'request')}`;
    this.remark = places > 0 ? where : '';
  }
}

/** Returns what the page knows of an exchange, for a search without the server. */
function textOf(s: Summary): string {
  return [
    s.id, s.client, s.model, s.upstreamModel, s.askedModel, s.path, s.form, s.userAgent, String(s.status), s.finishReason,
    s.error?.type, s.error?.code, s.error?.message, s.preview, s.account, s.job,
  ].join('\n').toLowerCase();
}
