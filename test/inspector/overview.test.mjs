// The overview: who fails, how long models take, what is lost, which accounts rest; and what to do about losses.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isFine } from './axe.mjs';
import { launch } from './browser.mjs';
import { answer, detail, fake, summary, visit } from './fake.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const inAMinute = () => new Date(Date.now() + 90_000).toISOString();
const overview = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(), until: new Date().toISOString(), requests: 412, failed: 18,
  clients: [
    { name: 'team-search', requests: 300, failed: 16, kinds: { rate_limited: 12, refused: 4 }, tokens: 1_200_000, cost: 1.25, currency: 'USD' },
    { name: '<b>bold</b> "x"', requests: 112, failed: 2, kinds: { client_left: 2 }, tokens: 4000, cost: null, currency: '' },
  ],
  kinds: [{ kind: 'rate_limited', requests: 12, newest: 31, example: 'The quota for this model is used up.' }, { kind: 'refused', requests: 4, newest: 12, example: '' }],
  models: [
    { model: 'gemini-3.6-flash', requests: 300, p50: 1240, p95: 4200, first50: 420, first95: 900, failed: 12, cost: 1, currency: 'USD' },
    { model: 'gemini-3.6-pro', requests: 112, p50: 9000, p95: 31_000, first50: 2000, first95: 8000, failed: 6, cost: 0.25, currency: 'USD' },
  ],
  losses: [{ pointer: '/logit_bias', kind: 'lost', side: 'client', detail: 'Gemini has no logit bias', requests: 212, newest: 41, docs: 'reference/losses/chat-completions.html#logit_bias' }],
  accounts: [
    { name: 'main', resting: 'rate limited', until: inAMinute(), by: 31, calls: 380, failed: 12 },
    { name: 'spare', resting: '', until: null, by: 0, calls: 32, failed: 0 },
  ],
  spend: null,
});

/** Opens the overview. @param {import('node:test').TestContext} t @param {Record<string, unknown>} [routes] @param {import('playwright-core').BrowserContextOptions} [options] */
async function open(t, routes = {}, options = {}) {
  const server = await fake(t, { exchanges: [summary(31), summary(41)], routes: { 'GET /api/overview': overview, ...routes } });
  const page = await visit(t, browser, `${server.url}/overview`, options);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return { page, server };
}

test('the overview answers who fails and why', async (t) => {
  const { page } = await open(t);
  await page.getByText(/^412 requests, 18 failed \(4\.4 %\), since /).waitFor();
  const clients = page.getByRole('region', { name: 'Clients' });
  assert.match(await clients.getByRole('row', { name: /team-search/ }).innerText(), /300\s+16\s+rate limited 12, refused by the gateway 4\s+1\.2M\s+\$1\.25/);
  const kinds = page.getByRole('region', { name: 'Errors by kind' });
  assert.match(await kinds.getByRole('row', { name: /rate limited/ }).innerText(), /12\s+#31\s+The quota for this model is used up\./);
});

test('models have their median and p95, also of the first token', async (t) => {
  const { page } = await open(t);
  const row = page.getByRole('region', { name: 'Models' }).getByRole('row', { name: /gemini-3\.6-pro/ });
  assert.match(await row.innerText(), /112\s+6\s+9\.00 s\s+31\.0 s\s+2\.00 s\s+8\.00 s\s+\$0\.250/);
});

test('losses are counted by field, with the newest request and the reference', async (t) => {
  const { page } = await open(t);
  const row = page.getByRole('region', { name: 'Losses' }).getByRole('row', { name: /logit_bias/ });
  assert.match(await row.innerText(), /seen in 212 requests, newest #41/);
  const link = row.getByRole('link', { name: 'Reference' });
  assert.equal(await link.getAttribute('href'), 'https://docs.example/gemwire/reference/losses/chat-completions.html#logit_bias');
  assert.equal(await link.getAttribute('rel'), 'noreferrer noopener');
});

test('a paused account says why, until when, and because of which request', async (t) => {
  const { page } = await open(t);
  const accounts = page.getByRole('region', { name: 'Accounts' });
  assert.match(await accounts.getByRole('row', { name: /main/ }).innerText(), /paused rate limited\s+.*, in 1 min \d+ s\s+request #31\s+380\s+12/);
  assert.match(await accounts.getByRole('row', { name: /spare/ }).innerText(), /available\s+–\s+–\s+32\s+0/);
  await accounts.getByRole('link', { name: '#31' }).click();
  await page.waitForURL(/\/requests\/(31|req_31)/);
});

for (const [name, section, link, query] of [
  ['a client', 'Clients', 'team-search', 'client:team-search since:1h'],
  ['the failed requests of a client', 'Clients', '16', 'client:team-search status:failed since:1h'],
  ['a kind of error of a client', 'Clients', 'rate limited 12', 'client:team-search error:rate_limited since:1h'],
  ['a client whose name needs quotes', 'Clients', '<b>bold</b> "x"', 'client:"<b>bold</b> \\"x\\"" since:1h'],
  ['a kind', 'Errors by kind', 'rate limited', 'error:rate_limited since:1h'],
  ['a model', 'Models', 'gemini-3.6-flash', 'model:gemini-3.6-flash since:1h'],
  ['the slow requests of a model', 'Models', '31.0 s', 'model:gemini-3.6-pro >=31000ms since:1h'],
  ['a loss', 'Losses', '/logit_bias', 'lost:/logit_bias since:1h'],
  ['an account', 'Accounts', 'main', 'account:main since:1h'],
]) {
  test(`the row of ${name} leads to the list that is filtered by it`, async (t) => {
    const { page, server } = await open(t);
    await page.getByRole('region', { name: section }).getByRole('link', { name: link, exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/' && url.searchParams.get('q') === query);
    await page.getByLabel('Search client').waitFor();
    assert.equal(await page.getByLabel('Search client').inputValue(), query);
    await page.waitForFunction(() => !document.getElementById('requests')?.hidden);
    const isAsked = () => server.asked.some((path) => path.includes('/api/search?') && new URL(path.slice(4), server.url).searchParams.get('q') === query);
    for (let i = 0; i < 100 && !isAsked(); i++) await page.waitForTimeout(50);
    assert.ok(isAsked());
  });
}

test('the time range is chosen, stands in the address and survives a reload', async (t) => {
  const { page, server } = await open(t);
  await page.getByText(/^412 requests/).waitFor();
  assert.ok(server.asked.includes('GET /api/overview?since=1h'));
  await page.getByLabel('Time range').selectOption('15m');
  await page.waitForURL(/\/overview\?since=15m$/);
  await page.reload();
  await page.getByText(/^412 requests/).waitFor();
  assert.equal(await page.getByLabel('Time range').inputValue(), '15m');
  assert.equal(server.asked.filter((path) => path.startsWith('GET /api/overview')).at(-1), 'GET /api/overview?since=15m');
  await page.getByLabel('Time range').selectOption('all');
  await page.waitForURL(/\/overview\?since=all$/);
  await page.waitForFunction(() => document.querySelector('a[data-key="client:team-search team-search"]'));
});

test('the overview brings itself up to date, and keeps the focus', async (t) => {
  let requests = 412;
  const { page } = await open(t, { 'GET /api/overview': () => ({ ...overview(), requests: requests++ }) });
  await page.getByText(/^412 requests/).waitFor();
  const link = page.getByRole('link', { name: 'gemini-3.6-pro' });
  await link.focus();
  await page.getByText(/^413 requests/).waitFor();
  assert.ok(await link.evaluate((e) => e === document.activeElement));
});

test('there is no heading without rows', async (t) => {
  const { page } = await open(t, { 'GET /api/overview': () => ({ ...overview(), kinds: [], losses: null, accounts: [] }) });
  await page.getByText(/^412 requests/).waitFor();
  assert.deepEqual(await page.locator('#overview h3').allInnerTexts(), ['Clients', 'Models']);
});

test('an empty range and an error say so', async (t) => {
  let times = 0;
  const { page } = await open(t, { 'GET /api/overview': () => (times++ === 0 ? answer({ status: 500, body: { error: 'the inspector made a mistake' } }) : { ...overview(), requests: 0, failed: 0, accounts: [] }) });
  await page.getByRole('alert').getByText('the inspector made a mistake').waitFor();
  await page.getByText('No requests in this time range.').waitFor();
});

test('a loss says what to do about it and leads to its row in the reference', async (t) => {
  const s = summary(1, { lost: 1 });
  const server = await fake(t, {
    exchanges: [s], routes: {
      'GET /api/exchanges/*': detail(s, {
        client: { model: 'gpt-4o', logit_bias: { 50256: -100 } }, over: {
          findings: [
            { side: 'client', kind: 'lost', pointer: '/logit_bias', detail: 'Gemini has no logit bias', here: '/logit_bias', todo: 'Remove it, or ask for what you want in the prompt.', docs: '/reference/losses/chat-completions.html#logit_bias' },
            { side: 'client', kind: 'lost', pointer: '/user', detail: 'Gemini has no end-user field', todo: '', docs: '' },
          ],
        },
      }),
    },
  });
  const page = await visit(t, browser, `${server.url}/requests/req_1`);
  const items = page.locator('.findings li');
  await items.nth(1).waitFor();
  await items.nth(0).getByText('Remove it, or ask for what you want in the prompt.').waitFor();
  assert.equal(await items.nth(0).getByRole('link', { name: 'Reference of /logit_bias' }).getAttribute('href'), 'https://docs.example/gemwire/reference/losses/chat-completions.html#logit_bias');
  assert.equal(await items.nth(1).locator('.todo').count(), 0);
});

test('links to the documentation go to the web only', async (t) => {
  const server = await fake(t, { exchanges: [summary(1)], docs: 'javascript:alert(1)//', routes: { 'GET /api/overview': overview } });
  const page = await visit(t, browser, `${server.url}/overview`);
  await page.getByText(/^412 requests/).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Reference' }).count(), 0);
});

for (const forcedColors of /** @type {const} */ (['none', 'active'])) {
  test(`axe finds nothing in the overview, in light, in dark and at 400 px, with forced colours ${forcedColors}`, async (t) => {
    const { page } = await open(t, {}, { forcedColors });
    await page.getByText(/^412 requests/).waitFor();
    await isFine(page, 'overview', forcedColors);
  });
}

test('at 400 px the overview works by keyboard alone', async (t) => {
  const { page } = await open(t, {}, { viewport: { width: 400, height: 800 } });
  await page.getByText(/^412 requests/).waitFor();
  await page.getByLabel('Time range').focus();
  await page.keyboard.press('Tab'); // the table of accounts, which scrolls
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'main');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q') === 'account:main since:1h');
});
