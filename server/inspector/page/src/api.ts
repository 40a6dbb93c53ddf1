// The API of the inspector.

import type { Completion, Detail, Failure, Job, News, SearchResult } from './types';

/** An error response, in the words of the inspector. */
export class Refused extends Error {
  constructor(readonly status: number, message: string, readonly isDropped = false) {
    super(message);
  }
}

/** Asks the server. Its errors are thrown in its own words. */
export async function answer(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused(0, 'Can’t reach gemwire. Is it still running?');
  }
  if (response.ok) return response;
  let message = response.statusText;
  let isDropped = false;
  try {
    const said = (await response.json()) as { error: string; dropped?: boolean };
    message = said.error;
    isDropped = said.dropped ?? response.status === 404;
  } catch {
    // The response is not the inspector's.
  }
  throw new Refused(response.status, message, isDropped);
}

const json = async <T>(path: string): Promise<T> => (await answer(path)).json() as Promise<T>;

export const get = async (path: string): Promise<string> => (await answer(path)).text();
/** Returns an exchange by its number or request id. */
export const detail = (id: string | number): Promise<Detail> => json(`/api/exchanges/${encodeURIComponent(id)}`);

export const jobs = (): Promise<{ shown: boolean; jobs: Job[] | null }> => json('/api/jobs');
export const failures = (id: string): Promise<Failure[] | null> => json(`/api/jobs/${encodeURIComponent(id)}/failures`);

export const search = (query: string): Promise<SearchResult> => json(`/api/search?q=${encodeURIComponent(query)}`);
export const completions = (query: string, at: number): Promise<Completion[] | null> =>
  json(`/api/search/words?at=${at}&q=${encodeURIComponent(query)}`);

export async function post<T>(path: string, body: unknown): Promise<T | undefined> {
  const response = await answer(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  return response.status === 204 ? undefined : ((await response.json()) as T);
}

export type Connection = 'connecting' | 'live' | 'lost' | 'ended';

const again = 2000; // milliseconds after a lost connection

/** Listens for news while the page is open. A session that ended has the command that prints a new link. */
export function listen(onNews: (news: News, isFirst: boolean) => void, onConnection: (state: Connection, command?: string) => void): void {
  onConnection('connecting');
  const source = new EventSource('/api/events');
  let isFirst = true;
  source.onopen = () => {
    isFirst = true; // A new connection begins with all exchanges.
    onConnection('live');
  };
  source.onmessage = (event: MessageEvent<string>) => {
    onNews(JSON.parse(event.data) as News, isFirst);
    isFirst = false;
  };
  source.onerror = () => {
    onConnection('lost');
    // A refusal closes the connection for good. The browser itself connects again to a server that is gone.
    if (source.readyState !== EventSource.CLOSED) return;
    const retry = (): void => void setTimeout(() => listen(onNews, onConnection), again);
    fetch('/api/exchanges/0').then(async (response) => {
      if (response.status !== 401) return retry();
      const said = await response.json().catch(() => ({})) as { command?: string };
      onConnection('ended', said.command);
    }, retry);
  };
}
