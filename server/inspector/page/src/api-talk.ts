// The API of conversations, replays, comparisons, the overview and sessions.

import * as api from './api';
import type { Overview } from './types-overview';
import type { Spend } from './types-spend';
import type {
  Changes, Choices, Comparison, Conversation, NotStarted, Started, Talk,
} from './types-talk';

const get = async <T>(path: string): Promise<T> => JSON.parse(await api.get(path)) as T;

export const talk = (number: number): Promise<Talk> => get(`/api/exchanges/${number}/conversation`);
export const conversation = (id: string): Promise<Conversation> =>
  get(`/api/conversations/${encodeURIComponent(id)}`);
export const choices = (): Promise<Choices> => get('/api/replay/choices');
export const compare = (a: number, b: number): Promise<Comparison> =>
  get(`/api/compare/${a}/${b}`);
export const overview = (since: string): Promise<Overview> =>
  get(`/api/overview${since ? `?since=${encodeURIComponent(since)}` : ''}`);

export const spend = (days: number): Promise<Spend> => get(`/api/spend?days=${days}`);

/** The answer to a replay. Its exchange may still run. */
export interface Made {
  number: number;
  id: string;
}

/** Sends an exchange's request again. */
export const replay = (number: number, changes: Changes): Promise<Made | undefined> =>
  api.post(`/api/exchanges/${number}/replay`, changes);

/** Sends the requests of many exchanges again. */
export const replays = (
  numbers: number[], model: string, account: string,
): Promise<{ started: Started[] | null; failed?: NotStarted[] | null } | undefined> =>
  api.post('/api/replays', { numbers, model, account });

/** Shows the exchanges of a file that was exported, and returns their numbers. */
export async function importSession(file: Blob): Promise<number[]> {
  const header = { 'Content-Type': 'application/json' };
  const response = await api.answer('/api/session', { method: 'POST', headers: header, body: file });
  return ((await response.json()) as { numbers: number[] }).numbers;
}
