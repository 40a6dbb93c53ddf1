// What the API answers about all requests of a time range. Durations are in milliseconds.

import type { Kind, Side } from './types';

export interface ClientRow {
  name: string;
  requests: number;
  failed: number;
  kinds: Record<string, number> | null;
  tokens: number;
  cost?: number | null;
  currency?: string;
}
export interface KindRow {
  kind: string;
  requests: number;
  newest: number;
  /** The message of the newest. */
  example?: string;
}
export interface ModelRow {
  model: string;
  requests: number;
  failed: number;
  /** Durations of the requests that did not fail. */
  p50?: number | null;
  p95?: number | null;
  first50?: number | null;
  first95?: number | null;
  cost?: number | null;
  currency?: string;
}
export interface LossRow {
  pointer: string;
  kind: Kind;
  side: Side;
  detail: string;
  requests: number;
  newest: number;
  todo?: string;
  docs?: string;
}

/** An account. A paused one has a reason, and the number of the request that caused the pause. */
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
  running?: number;
  clients: ClientRow[] | null;
  kinds: KindRow[] | null;
  models: ModelRow[] | null;
  losses: LossRow[] | null;
  accounts: AccountRow[] | null;
}
