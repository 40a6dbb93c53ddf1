// What the page exports, what it says of the disk, and a list that changes under the pointer.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { detail, fake, summary, visit } from './fake.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const three = () => [summary(1), summary(2, { status: 500, failure: 'upstream_error' }), summary(3, { status: 429, failure: 'rate_limited' })];

test('the requests that are shown, and the open one, can be exported', async (t) => {
  const f = await fake(t, { exchanges: three(), routes: { 'GET /api/exchanges/2': detail(summary(2)), 'GET /api/exchanges/req_2': detail(summary(2)) } });
  const page = await visit(t, browser, f.url);
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.equal(await page.getByText(/Export the .* shown/).count(), 0, 'all are shown');
  await page.keyboard.press('Escape');
  await page.getByLabel('Filter by status').selectOption('failed');
  await page.locator('#listbar').getByText('2 of 3 requests').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  const link = page.getByRole('link', { name: 'Export the 2 shown requests' });
  assert.equal(await link.getAttribute('href'), '/api/session?numbers=2,3');
  await page.keyboard.press('Escape');
  await page.locator('.row[data-number="2"]').click();
  assert.equal(await page.getByRole('link', { name: 'Download session' }).getAttribute('href'), '/api/session?numbers=2');
});

test('a folder that cannot be written is reported', async (t) => {
  const f = await fake(t, { exchanges: three(), changes: { store: 'folder', storeError: 'write 7.json: no space left on device' } });
  const page = await visit(t, browser, f.url);
  await page.locator('.notice.bad', { hasText: 'New requests are not kept on disk: write 7.json: no space left on device' }).waitFor();
  assert.equal(await page.locator('#storage').innerText(), 'Not kept on disk');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByText('no space left on device').waitFor();
});

test('the row of a job can be clicked while its lines arrive', async (t) => {
  const line = (/** @type {number} */ n) => summary(n, { job: 'batch_1', running: n % 2 === 0 });
  const f = await fake(t, { exchanges: [line(1), summary(2)] });
  const page = await visit(t, browser, f.url);
  const row = page.locator('.row.job');
  await row.focus();
  const box = await row.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 40, box.y + box.height / 2);
  await page.mouse.down();
  f.tell(line(3), summary(4), summary(5));
  await page.locator('#listbar').getByText('5 requests').waitFor();
  await page.mouse.up();
  await page.getByText('Lines of job batch_1').waitFor();
});

test('the row of a job keeps the focus while its lines arrive', async (t) => {
  const f = await fake(t, { exchanges: [summary(1, { job: 'batch_1' }), summary(2)] });
  const page = await visit(t, browser, f.url);
  const row = page.locator('.row.job');
  await row.focus();
  const [element, before] = [await row.elementHandle(), await row.innerText()];
  f.tell(summary(3, { job: 'batch_1' }));
  await page.waitForFunction((was) => /** @type {HTMLElement} */ (document.querySelector('.row.job')).innerText !== was, before);
  assert.ok(await element?.evaluate((was) => was === document.activeElement), 'it is the same row');
});

test('the label of an attempt is shown whole or not at all', async (t) => {
  const s = summary(1, { duration: 10_000 });
  const attempts = [
    { number: 1, account: 'main', model: 'm', at: 1, duration: 5, status: 503, error: 'busy', wait: 40 },
    { number: 2, account: 'main', model: 'm', at: 50, duration: 9000, status: 200, error: '', wait: 0 },
  ];
  const d = detail(s, { over: { attempts } });
  const f = await fake(t, { exchanges: [s], routes: { 'GET /api/exchanges/*': d } });
  const page = await visit(t, browser, f.url);
  await page.locator('.row[data-number="1"]').click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.locator('.track .bar').first().waitFor();
  const cut = await page.locator('.track .bar b').evaluateAll((all) => all.filter((b) => b.clientWidth > 0 && b.scrollWidth > b.clientWidth).map((b) => b.textContent));
  assert.deepEqual(cut, []);
  assert.equal(await page.locator('.track .bar.good b').innerText(), '200');
});
