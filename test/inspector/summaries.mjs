// Exchanges and news as the server sends them, for servers and events of our own.

const tokens = { input: 1200, output: 300, thinking: 80, cached: 400, total: 1500, estimated: false };

/**
 * Returns an exchange as the list shows it.
 * @param {number} number
 * @param {Record<string, unknown>} [over]
 */
export const summary = (number, over = {}) => ({
  number, id: `req_${number}`, at: new Date(Date.now() - 60_000 + number * 1000).toISOString(), form: 'chat_completions', method: 'POST',
  path: '/v1/chat/completions', client: 'team-search', userAgent: 'OpenAI/JS 6.49.0', remote: '127.0.0.1:5000', retry: 0, bodies: true,
  attempts: 1, running: false, status: 200, model: 'gpt-4o', upstreamModel: 'gemini-3.6-flash', isOpenAI: false, isInteractions: false,
  stream: false, duration: 1240, firstToken: 420, tokens, cost: { amount: 0.0021, currency: 'USD', source: 'list price' },
  finishReason: 'stop', lost: 0, approximated: 0, added: 0, canceled: false, bytesIn: 900, bytesOut: 700, pinned: false, conversation: '',
  turn: 1, preview: 'When does the last train leave?', has: [], job: '', account: 'main', failure: '', strict: false, imported: false,
  phases: { gateway: 2, room: 0, backoff: 0, firstToken: 420, generation: 818 }, ...over,
});

/**
 * Returns news with exchanges.
 * @param {object[]} exchanges
 * @param {Record<string, unknown>} [changes]
 */
export const newsOf = (exchanges, changes = {}) => ({
  bodies: true, oldest: 1, bytes: 4096, maxBytes: 256 << 20, maxExchanges: 10_000, gateway: 'http://127.0.0.1:8080', pinned: [],
  limits: { exchanges: 10_000, bytes: 256 << 20, body: 1 << 20, string: 1 << 20 }, exchanges, ...changes,
});
