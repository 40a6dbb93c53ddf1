// A server that answers as the inspector does, with what a test tells it, so that each state of the page can be reached.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { newsOf, summary } from './summaries.mjs';

export { summary };

const root = fileURLToPath(new URL('../../server/inspector/', import.meta.url));
const files = {
  '/main.js': ['text/javascript', 'page/dist/main.js'], '/style.css': ['text/css', 'page/dist/style.css'],
  '/icon.svg': ['image/svg+xml', 'page/icon.svg'],
};

/** Returns the content security policy of the real server. */
function policy() {
  const source = /contentSecurityPolicy = ((?:"[^"]*"[\s+]*)+)/.exec(readFileSync(`${root}guard.go`, 'utf8'));
  if (!source) throw new Error('guard.go has no contentSecurityPolicy');
  return [...source[1].matchAll(/"([^"]*)"/g)].map((part) => part[1]).join('');
}

const message = (/** @type {Record<string, unknown>} */ of) => ({ at: 1, header: [], leftOut: 0, cut: false, ...of });

/**
 * Returns all that is kept of an exchange.
 * @param {ReturnType<typeof summary>} s
 * @param {{ client?: unknown, gemini?: unknown, answer?: unknown, over?: Record<string, unknown> }} [of]
 */
export const detail = (s, { client = {}, gemini = {}, answer = {}, over = {} } = {}) => ({
  summary: s,
  client: {
    request: message({
      method: s.method, url: s.path, body: JSON.stringify(client),
      header: [{ name: 'user-agent', value: s.userAgent }, { name: 'x-team', value: 'search' }, { name: 'host', value: 'localhost' }],
    }),
    response: message({ status: s.status, body: JSON.stringify({ id: 'chatcmpl-1', choices: [{ message: answer }] }) }), chunks: [],
  },
  tries: [{
    request: message({ method: 'POST', url: 'https://generativelanguage.googleapis.com/v1beta/models/x:generateContent', body: JSON.stringify(gemini) }),
    response: message({ status: 200, body: JSON.stringify({ candidates: [{ content: { parts: [answer] } }] }) }), chunks: [],
  }],
  attempts: [{ number: 1, account: 'main', model: s.upstreamModel, at: 2, duration: 1200, status: 200, error: '', wait: 0 }],
  findings: [], signatures: [], leftOut: { chunks: 0, findings: 0, signatures: 0 }, canReplay: true, notes: {}, ...over,
});

/**
 * @typedef {{ status?: number, type?: string, header?: Record<string, string>, body: unknown }} Answer
 * @typedef {unknown | ((body: any, path: string) => unknown)} Route
 */

/** An answer that is not JSON, or not a 200. @param {Answer} of */
export const answer = (of) => ({ isAnswer: true, ...of });

/**
 * Starts a server for one test. Routes are by method and path, such as "GET /api/overview"; a star stands for one name.
 * @param {import('node:test').TestContext} t
 * @param {{ exchanges?: ReturnType<typeof summary>[], routes?: Record<string, Route>, docs?: string, changes?: Record<string, unknown> }} [of] changes are those of the news
 */
export async function fake(t, { exchanges = [], routes = {}, docs = 'https://docs.example/gemwire', changes = {} } = {}) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const listeners = new Set();
  /** @type {{ path: string, body: any }[]} */
  const posted = [];
  /** @type {string[]} */
  const asked = [];
  const all = new Map(exchanges.map((s) => [s.number, s]));
  const news = (/** @type {ReturnType<typeof summary>[]} */ of) => `data: ${JSON.stringify(newsOf(of, { store: 'memory', docs, ...changes }))}\n\n`;
  const csp = policy();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    response.setHeader('Content-Security-Policy', csp);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (pathname === '/api/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(news([...all.values()]));
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      return;
    }
    if (!pathname.startsWith('/api/')) {
      const [type, file] = files[/** @type {keyof typeof files} */ (pathname)] ?? ['text/html', 'page/index.html'];
      response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` });
      response.end(readFileSync(root + file));
      return;
    }
    let text = '';
    for await (const piece of request) text += piece;
    const body = text === '' ? Object.fromEntries(searchParams) : JSON.parse(text);
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'POST') posted.push({ path: pathname, body });
    const route = find(routes, `${request.method} ${pathname}`) ?? known[`${request.method} ${pathname}`];
    const found = await (typeof route === 'function' ? route(body, pathname) : route);
    if (found === undefined && request.method === 'GET') {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end('{"error":"this exchange was dropped","dropped":true}');
      return;
    }
    const { status = 200, type = 'application/json', header = {}, body: out } = isAnswer(found) ? found : { body: found };
    response.writeHead(out === undefined ? 204 : status, { 'Content-Type': type, ...header });
    response.end(typeof out === 'string' || Buffer.isBuffer(out) ? out : JSON.stringify(out));
  });
  /** @type {Record<string, Route>} */
  const known = {
    'GET /api/jobs': { shown: false, jobs: [] }, 'GET /api/replay/choices': { models: ['gemini-3.6-flash', 'gemini-3.6-pro'], accounts: ['main', 'spare'] },
    'GET /api/search': () => ({ total: all.size, numbers: [...all.keys()].reverse(), matches: {}, error: '', at: 0 }), 'GET /api/search/words': [],
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => {
    for (const listener of listeners) listener.end();
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`, posted, asked, exchanges: all,
    /** Tells the page of exchanges. @param {...ReturnType<typeof summary>} of */
    tell(...of) {
      for (const s of of) all.set(s.number, s);
      for (const listener of listeners) listener.write(news(of));
    },
  };
}

/** @param {unknown} found @returns {found is Answer} */
const isAnswer = (found) => typeof found === 'object' && found !== null && 'isAnswer' in found;

/** @param {Record<string, Route>} routes @param {string} path */
function find(routes, path) {
  if (path in routes) return routes[path];
  return Object.entries(routes).find(([pattern]) => new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(path))?.[1];
}

/**
 * Opens the page of a server. An error on the page fails the test.
 * @param {import('node:test').TestContext} t
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
export async function visit(t, browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'], ...options,
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => {
    if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(line.text())) errors.push(line.text());
  });
  t.after(async () => {
    await context.close();
    if (errors.length > 0) throw new Error(`the page failed: ${errors.join('\n')}`);
  });
  await page.goto(url);
  await page.getByRole('status').getByText('Live').waitFor();
  return page;
}
