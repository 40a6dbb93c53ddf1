// What the API answers about conversations, replays and comparisons.

import type { Cost, Side, Tokens } from './types';

export type Role = 'system' | 'user' | 'model' | 'tool';
export type PartKind = 'text' | 'thinking' | 'call' | 'result' | 'media' | 'code' | 'code_result' |
  'search' | 'other';

/** A part of a message. */
export interface Part {
  kind: PartKind;
  text?: string;
  /** The name of a function or a file, or the language of code. */
  name?: string;
  id?: string;
  /** Arguments, a result or sources, as the text of a JSON value. */
  json?: string;
  mime?: string;
  /** SHA-256 of the bytes, which /api/media has. */
  media?: string;
  uri?: string;
  bytes?: number;
  /** The base64 of a small picture. */
  data?: string;
  /** A short hash of the signature. */
  signature?: string;
  /** Whether a part of any kind belongs to the model's thoughts. */
  thought?: boolean;
  /** The part's pointers in the Gemini document and in the client's. */
  gemini?: string | null;
  client?: string | null;
}
export interface Message { role: Role; parts: Part[] }
export type Usage = Omit<Tokens, 'estimated'>;

/** An exchange as messages. The answer of a stream is put together. */
export interface Talk {
  messages: Message[] | null;
  answer: Message[] | null;
  usage?: Usage | null;
  finish?: string;
  note?: string;
}

export interface Turn {
  number: number;
  id: string;
  at: string;
  status: number;
  running?: boolean;
  /** The kind of a failure, or "". */
  failure?: string;
  tokens: Tokens;
  cost?: Cost | null;
  model: string;
  preview?: string;
}
export interface Step { number: number; side: Side; pointer: string; carrier: string }
export interface FollowedSignature { hash: string; size: number; steps: Step[] }

/** The exchanges of one conversation, and where each signature was in them. */
export interface Conversation {
  id: string;
  exchanges: Turn[];
  signatures: FollowedSignature[];
}

/** What a replay can be sent to. */
export interface Choices { models: string[] | null; accounts: string[] | null }
export interface Started { of: number; number: number }
/** A request that cannot be sent again, and why. */
export interface NotStarted { of: number; error: string }

/** The changes that a replay makes. */
export interface Changes {
  body?: string;
  model?: string;
  account?: string;
  header?: Record<string, string>;
}

export interface ComparedCall { name: string; args: unknown }
export interface ComparedSide {
  number: number;
  model: string;
  text: string;
  calls: ComparedCall[] | null;
  tokens: Tokens;
  cost?: Cost | null;
  duration: number;
  firstToken: number;
  losses: number;
  finish: string;
  status: number;
  error?: string;
  /** Why the text is missing. */
  note?: string;
}
export interface Difference { op: 'same' | 'left' | 'right'; text: string }
/** The indexes of a call in both answers, -1 for none. */
export interface CallPair { left: number; right: number; same: boolean }
export interface Comparison {
  sides: ComparedSide[];
  text: Difference[] | null;
  calls: CallPair[] | null;
}
