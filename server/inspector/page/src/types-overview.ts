// What the API answers about all requests of a time range. Durations are in milliseconds.

import type { Kind, Side } from './types';

export interface ClientRow {
  name: string;
  requests: number;
  failed: number;
  kinds: Record<string, number> | null;
  tokens: number;
  cost: number;
}
export interface KindRow {
  kind: string;
  requests: number;
  newest: number;
  message?: string;
}
export interface ModelRow {
  model: string;
  requests: number;
  p50: number;
  p95: number;
  first50: number;
  first95: number;
  failed: number;
  cost: number;
}
export interface LossRow {
  pointer: string;
  kind: Kind;
  side: Side;
  detail: string;
  requests: number;
  newest: number;
  docs?: string;
}

/** An account. One that rests has a reason, and the number of the request that made it rest. */
export interface AccountRow {
  name: string;
  resting?: string;
  until?: string | null;
  by?: number;
  calls: number;
  failed: number;
}

export interface Overview {
  from: string;
  until: string;
  requests: number;
  failed: number;
  clients: ClientRow[] | null;
  kinds: KindRow[] | null;
  models: ModelRow[] | null;
  losses: LossRow[] | null;
  accounts: AccountRow[] | null;
}
