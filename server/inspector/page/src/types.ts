// What the API of the inspector returns: summary.go, detail.go and store.go describe it.

export interface Tokens { input: number; output: number; thinking: number; cached: number; total: number; estimated: boolean }
export interface Cost { amount: number; currency: string; source: string }
export interface ClientError { type: string; code: string; message: string }
/** How the duration of an exchange is spent, in milliseconds. */
export interface Phases { gateway: number; lookUp?: number; room: number; backoff: number; firstToken: number; generation: number }
/** Why a request failed, as a kind. */
export type FailureKind = '' | 'refused' | 'client_left' | 'rate_limited' | 'upstream_error' | 'stream_cut' |
  'connection' | 'timeout' | 'blocked' | 'gateway';

/** An exchange as the list shows it. Durations are in milliseconds. */
export interface Summary {
  number: number;
  id: string;
  at: string;
  form: string;
  method: string;
  path: string;
  client: string;
  userAgent: string;
  session?: string;
  agent?: string;
  parentAgent?: string;
  remote: string;
  retry: number;
  bodies: boolean;
  attempts: number;
  replayOf?: number;
  running: boolean;
  status: number;
  model: string;
  upstreamModel: string;
  askedModel?: string;
  modelWarnings?: string[];
  isOpenAI: boolean;
  isInteractions: boolean;
  stream: boolean;
  duration: number;
  firstToken: number;
  tokens: Tokens;
  cost?: Cost;
  finishReason: string;
  lost: number;
  approximated: number;
  added: number;
  error?: ClientError;
  canceled: boolean;
  bytesIn: number;
  bytesOut: number;
  pinned?: boolean;
  conversation?: string;
  turn?: number;
  preview?: string;
  has?: string[];
  job?: string;
  account?: string;
  failure?: FailureKind;
  phases?: Phases;
  strict?: boolean;
  imported?: boolean;
  /** Why no account was called: all of them were paused. */
  rest?: { account: string; reason: string; until: string; by: string };
}

export interface News {
  bodies: boolean;
  oldest: number;
  bytes: number;
  maxBytes: number;
  maxExchanges: number;
  gateway: string;
  exchanges: Summary[];
  /** The numbers of all pinned exchanges, also of those before the oldest. */
  pinned?: number[] | null;
  limits?: { exchanges: number; bytes: number; body: number; string: number };
  /** Where exchanges are kept: "memory", "folder", or "" for memory. */
  store?: string;
  /** The first error of writing to the folder. */
  storeError?: string;
  /** Why no request can be replayed. */
  noReplay?: string;
  /** The base of links to the documentation. */
  docs?: string;
  /** Whether earlier exchanges follow at once, and whether all that are known are to be forgotten. */
  more?: boolean;
  reset?: boolean;
  /** The numbers of dropped exchanges after the oldest. */
  gone?: number[];
}

export interface Field { name: string; value: string }
export interface Message {
  at: number; method?: string; url?: string; status?: number; header: Field[]; body: string; leftOut: number; cut: boolean;
  missed?: boolean; // not kept because the inspector was busy
}
export interface Chunk { at: number; size: number; data: string }
export interface Talk { request?: Message; response?: Message; chunks: Chunk[] }
/** The upstream's side of an attempt, and the request for Gemini if the upstream is not Gemini. */
export interface Try extends Talk { between?: Talk }
export type Kind = 'lost' | 'approximated' | 'added';
export type Side = 'client' | 'upstream';
export interface Finding {
  side: Side; kind: Kind; pointer: string; detail: string; here?: string; there?: string;
  /** What to do about it, and the path of its documentation. */
  todo?: string; docs?: string;
  /** Whether only a thought signature is missing, and a placeholder was sent. */
  signature?: boolean;
}
export interface Attempt {
  number: number; account: string; model: string; at: number; duration: number; status: number; error: string; wait: number;
}
export interface Signature { side: Side; pointer: string; carrier: string; size: number }

/** The complete record of an exchange. */
export interface Detail {
  summary: Summary;
  client: Talk;
  tries: Try[];
  attempts: Attempt[];
  findings: Finding[];
  signatures: Signature[];
  leftOut: { chunks: number; findings: number; signatures: number; busy?: boolean };
  canReplay: boolean;
  /** Whether the setting of the gateway added "store": false. */
  storeAdded?: boolean;
  /** Why there is no request to the upstream. */
  unsent?: '' | 'running' | 'bodies_off' | 'unrecorded' | 'resting' | 'refused' | 'own';
  /** The bytes that broke the stream of the upstream. */
  broken?: string;
  notes?: Record<string, string>;
}

/** A place where a search matched. */
export interface Match { where: string; pointer?: string; before: string; hit: string; after: string }
export interface SearchResult {
  total: number;
  numbers: number[] | null;
  matches?: Record<string, Match[]> | null;
  /** What is wrong with the query, and before which UTF-16 unit. */
  error?: string;
  at?: number;
}
/** A completion of a query: a text for a part of it. */
export interface Completion { text: string; label?: string; detail?: string; from: number; to: number }

/** A bulk job; jobs.go describes it. Progress is [milliseconds since 1970, answered, failed]. */
export interface Job {
  id: string;
  client: string;
  model: string;
  endpoint: string;
  state: string;
  hasEnded: boolean;
  resting: string;
  createdAt: string;
  endedAt?: string;
  total: number;
  completed: number;
  failed: number;
  repeated: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  currency: string;
  failures: Record<string, number> | null;
  progress: [number, number, number][] | null;
}

/** A line of a job that failed. */
export interface Failure { line: number; customID: string; status: number; code: string; message: string }
