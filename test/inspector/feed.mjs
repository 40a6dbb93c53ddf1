// News of our own for the page, in place of those of the server: many exchanges, lines of jobs, pins.

import { newsOf, summary as one } from './summaries.mjs';

/** @typedef {import('playwright-core').Page} Page */

const start = Date.now() - 3_600_000;

/**
 * Makes an exchange as the list shows it.
 * @param {number} number
 * @param {Record<string, unknown>} [changes]
 */
export function summary(number, changes = {}) {
  const first = 100 + (number * 37) % 900;
  const duration = first + (number * 131) % 4000;
  return one(number, {
    id: `req_${number.toString(16).padStart(16, '0')}`, at: new Date(start + number * 300).toISOString(), client: `client-${number % 7}`,
    userAgent: 'openai-python/3.2.0', stream: true, duration, firstToken: first,
    tokens: { input: 200 + number % 500, output: number % 300, thinking: 10, cached: 0, total: 210 + number % 800, estimated: false },
    cost: { amount: 0.0001 * (1 + number % 50), currency: 'USD', source: 'made up for tests' }, lost: number % 11 === 0 ? 2 : 0, bytesOut: 400,
    turn: 0, preview: `Question ${number}: when does the last train from Porto to Faro leave on a Sunday in November?`, account: 'demo',
    phases: { gateway: 2, room: 0, backoff: 0, firstToken: first - 2, generation: duration - first }, ...changes,
  });
}

/**
 * Answers the page's question for news. The connection ends after them; the page does not ask again.
 * @param {Page} page
 * @param {object[]} exchanges
 * @param {Record<string, unknown>} [changes] of the news
 */
export async function feed(page, exchanges, changes = {}) {
  const pages = [];
  for (let end = exchanges.length; end > 0; end -= 500) pages.push(exchanges.slice(Math.max(0, end - 500), end));
  const events = (pages.length > 0 ? pages : [[]]).map((part, i) => JSON.stringify(newsOf(part, { more: i < pages.length - 1, ...changes })));
  await page.route('**/api/events', (route) => route.fulfill({
    contentType: 'text/event-stream', body: `retry: 10000000\n\n${events.map((event) => `data: ${event}\n\n`).join('')}`,
  }));
}

/**
 * Shows the page with exchanges of our own.
 * @param {Page} page
 * @param {object[]} exchanges
 * @param {Record<string, unknown>} [changes] of the news
 */
export async function show(page, exchanges, changes = {}) {
  await feed(page, exchanges, changes);
  await page.reload();
  await page.waitForFunction((count) => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === String(count + 1), rowsOf(exchanges));
}

/** @param {any[]} exchanges */
function rowsOf(exchanges) {
  const jobs = new Set(exchanges.map((s) => s.job).filter(Boolean));
  return exchanges.filter((s) => !s.job).length + jobs.size;
}
