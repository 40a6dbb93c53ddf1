// The spend: who spent how much, by key, model and day, and what has no price.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isFine } from './axe.mjs';
import { launch } from './browser.mjs';
import { fake, summary, visit } from './fake.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** @param {number} ago */
const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
/** @param {number} ago @param {string} client @param {string} model @param {number} cost @param {Record<string, unknown>} [more] */
const row = (ago, client, model, cost, more = {}) => ({
  day: day(ago), client, model, currency: 'USD', unpriced: '', requests: 10, failures: 1, tokens: 1500, unpricedTokens: 0, cost, ...more,
});
const spend = () => ({
  shown: true, today: day(0), killed: 2, upTo: 14,
  rows: [
    row(0, 'team-search', 'gemini-3.6-flash', 1.25), row(0, '<b>bold</b>', 'gemini-3.6-pro', 12.5),
    row(3, 'team-search', 'gemini-3.6-pro', 40),
    row(3, 'team-search', 'gemini-9-mystery', 0, { currency: '', unpriced: 'gemini-9-mystery at the Gemini API has no price', unpricedTokens: 1500 }),
    row(20, 'nightly', 'gemini-3.6-flash', 100),
  ],
});

/** Opens the spend. @param {import('node:test').TestContext} t @param {Record<string, unknown>} [routes] @param {import('playwright-core').BrowserContextOptions} [options] */
async function open(t, routes = {}, options = {}) {
  const server = await fake(t, { exchanges: [summary(31)], routes: { 'GET /api/spend': spend, ...routes } });
  const page = await visit(t, browser, `${server.url}/spend`, options);
  await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor();
  return { page, server };
}

test('one sees at once who spent most this week', async (t) => {
  const { page } = await open(t);
  await page.getByLabel('Days').selectOption('7');
  await page.waitForURL(/\/spend\?days=7$/);
  const rows = page.getByRole('region', { name: 'By key' }).getByRole('row');
  await page.waitForFunction(() => document.querySelectorAll('#spend section:first-of-type tbody tr').length === 2);
  assert.match(await rows.nth(1).innerText(), /^team-search\s+\$41\.25\s+30\s+3\s+4\.5k\s+1\.5k$/);
  assert.match(await rows.nth(2).innerText(), /^<b>bold<\/b>\s+\$12\.50/);
  assert.equal(await rows.count(), 3);
});

test('today, this month, models, days and what has no price are shown', async (t) => {
  const { page } = await open(t);
  await page.getByText(/^\$13\.75, 20 requests$/).waitFor();
  const models = page.getByRole('region', { name: 'By model' }).getByRole('row');
  assert.match(await models.nth(1).innerText(), /^gemini-3\.6-flash\s+\$101\.25\s/);
  const days = page.getByRole('region', { name: 'By day' }).getByRole('row');
  assert.deepEqual((await days.allInnerTexts()).slice(1).map((text) => text.slice(0, 10)), [day(0), day(3), day(20)]);
  const widths = await page.getByRole('region', { name: 'By day' }).locator('rect').evaluateAll((all) => all.map((e) => e.getAttribute('width')));
  assert.deepEqual(widths, ['13.75', '40.00', '100.00']);
  assert.match(await page.getByRole('region', { name: 'Without a price' }).innerText(), /gemini-9-mystery at the Gemini API has no price\s+10\s+1\.5k/);
  await page.getByText('2 gateway processes were killed. Up to 14 requests of their last second may be missing.').waitFor();
});

test('the CSV is of the chosen days, and the choice survives a reload', async (t) => {
  const { page } = await open(t);
  await page.getByLabel('Days').selectOption('90');
  await page.waitForURL(/days=90$/);
  assert.equal(await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href'), '/api/spend.csv?days=90');
  await page.reload();
  await page.getByRole('region', { name: 'By key' }).waitFor();
  assert.equal(await page.getByLabel('Days').inputValue(), '90');
});

test('without requests and without an answer the page says so', async (t) => {
  const { page } = await open(t, { 'GET /api/spend': () => ({ ...spend(), rows: [], killed: 0 }) });
  await page.getByText('No requests in these days.').waitFor();
  assert.equal(await page.getByText('nothing', { exact: true }).count(), 2);
});

test('a gateway that counts no usage does not offer the spend', async (t) => {
  const server = await fake(t, { exchanges: [summary(31)], routes: { 'GET /api/spend': () => ({ ...spend(), shown: false, rows: [] }) } });
  const page = await visit(t, browser, server.url);
  await page.getByRole('link', { name: 'Overview' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Spend' }).count(), 0);
});

test('the spend is reached and left by keyboard', async (t) => {
  const server = await fake(t, { exchanges: [summary(31)], routes: { 'GET /api/spend': spend } });
  const page = await visit(t, browser, server.url);
  await page.getByRole('link', { name: 'Spend' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/spend$/);
  await page.getByRole('region', { name: 'By key' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Requests' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/$/);
});

for (const forcedColors of /** @type {const} */ (['none', 'active'])) {
  test(`the spend is accessible in light and dark and at 400 px, forced colours ${forcedColors}`, async (t) => {
    const { page } = await open(t, {}, { forcedColors });
    await page.getByRole('region', { name: 'By day' }).waitFor();
    await isFine(page, 'spend', forcedColors);
  });
}
