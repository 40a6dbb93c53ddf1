// Whose API a side of an exchange speaks, as the page names it.

import type { Summary } from './types';

/** The name of the client's side. It is the client if both sides speak the same API of Google. */
export function clientName(s: Summary): 'Client' | 'Anthropic' | 'Interactions' | 'OpenAI' {
  if (s.form === 'native') return 'Client';
  if (/^\/v1(beta)?\/interactions(\/|$)/.test(s.path)) return s.isInteractions ? 'Client' : 'Interactions';
  return /^\/v1\/messages(\/|$)/.test(s.path) ? 'Anthropic' : 'OpenAI';
}

/** The name of the upstream's side. */
export function upstreamName(s: Summary): 'chat_completions' | 'Interactions' | 'Gemini' {
  if (s.isOpenAI) return 'chat_completions';
  return s.isInteractions ? 'Interactions' : 'Gemini';
}

/** Whether anything is converted: Google's own API is passed through to Gemini. */
export function isConverted(s: Summary): boolean {
  return s.form !== 'native' || s.isOpenAI || s.isInteractions;
}
