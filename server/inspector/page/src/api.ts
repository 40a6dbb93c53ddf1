// The API of the inspector.

import type { Detail, Failure, Job, News } from './types';

/** An answer that is an error, in the words of the inspector. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function answer(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused(0, 'Can’t reach gemwire. Is it still running?');
  }
  if (response.ok) return response;
  let message = response.statusText;
  try {
    message = ((await response.json()) as { error: string }).error;
  } catch {
    // It is not the inspector that answered.
  }
  throw new Refused(response.status, message);
}

export const get = async (path: string): Promise<string> => (await answer(path)).text();
export const detail = async (number: number): Promise<Detail> => (await answer(`/api/exchanges/${number}`)).json() as Promise<Detail>;

export const jobs = async (): Promise<{ shown: boolean; jobs: Job[] | null }> => (await answer('/api/jobs')).json() as Promise<{ shown: boolean; jobs: Job[] | null }>;
export const failures = async (id: string): Promise<Failure[] | null> => (await answer(`/api/jobs/${encodeURIComponent(id)}/failures`)).json() as Promise<Failure[] | null>;

export async function post<T>(path: string, body: unknown): Promise<T | undefined> {
  const response = await answer(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  return response.status === 204 ? undefined : ((await response.json()) as T);
}

export type Connection = 'connecting' | 'live' | 'lost' | 'ended';

/** Listens for news for as long as the page is open. */
export function listen(onNews: (news: News, isFirst: boolean) => void, onConnection: (state: Connection) => void): void {
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
    // A refusal closes the connection for good; a server that is gone is asked again.
    if (source.readyState !== EventSource.CLOSED) {
      onConnection('lost');
      return;
    }
    onConnection('lost');
    fetch('/api/exchanges/0').then(
      (response) => {
        if (response.status === 401) onConnection('ended');
        else setTimeout(() => listen(onNews, onConnection), 2000);
      },
      () => setTimeout(() => listen(onNews, onConnection), 2000),
    );
  };
}
