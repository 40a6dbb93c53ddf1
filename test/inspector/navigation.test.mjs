// Addresses, the history, and what is open while the list changes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { feed, show, summary } from './feed.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** The address of the page after its host. @param {Page} page */
const address = (page) => page.evaluate(() => location.pathname + location.search);

/** @param {Page} page @param {string} heading */
const isOpen = (page, heading) => page.locator('#detail').getByRole('heading', { name: heading }).waitFor();

/** Whether no half of the page is empty. @param {Page} page */
const isFilled = (page) => page.evaluate(() => {
  const visible = (/** @type {string} */ id) => (document.getElementById(id)?.getBoundingClientRect().width ?? 0) > 0;
  const text = document.getElementById('detail')?.innerText.trim() ?? '';
  const split = document.getElementById('main')?.classList.contains('split');
  return split ? visible('detail') && text !== '' : visible('all-requests') && !visible('detail');
});

test('a request has an address with its id, which opens it again with its tab, filter and row', async (t) => {
  const { page, stage } = await open(t, browser);
  const row = await stage.play('streamed');
  await stage.history(200);
  await page.waitForFunction(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '202');
  await page.getByLabel('Filter by model').selectOption('gemini-3.6-flash');
  await page.locator('.spacer .row').first().focus();
  await page.keyboard.press('End');
  await page.locator(row).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const id = await page.locator('.facts code').innerText();
  assert.equal(await address(page), `/requests/${id}?model=gemini-3.6-flash&tab=timeline`);
  await page.reload();
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
  assert.equal(await page.getByLabel('Filter by model').inputValue(), 'gemini-3.6-flash');
  await page.locator(row).waitFor();
  assert.equal(await page.locator(row).getAttribute('aria-selected'), 'true');
  const shown = await page.locator(row).boundingBox();
  assert.ok(shown && shown.y > 0 && shown.y < 800, 'its row is in view');
});

test('the number of a request is an address too, also in the form of earlier versions', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.play('lossy');
  await page.locator('.spacer .row').waitFor();
  for (const path of ['/requests/1', '/#1']) {
    await page.goto(stage.url + path);
    await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  }
});

test('back and forward go through what was open', async (t) => {
  const { page, stage } = await open(t, browser, { size: 'wide' });
  const [lossy, streamed] = [await stage.play('lossy'), await stage.play('streamed')];
  await page.locator(lossy).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  await page.locator(streamed).click();
  await page.getByText('2 of 2').or(page.getByText('1 of 2')).first().waitFor();
  await page.locator(`${streamed}.current`).waitFor();
  await page.goBack();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  await page.goBack();
  await page.locator('#detail').waitFor({ state: 'hidden' });
  assert.ok(await isFilled(page));
  await page.goForward();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
});

for (const width of [1280, 1000]) {
  test(`an open request stays when the list drops it, at ${width} px`, async (t) => {
    const { page, stage } = await open(t, browser, { args: ['bodies', 'few'] });
    await page.setViewportSize({ width, height: 800 });
    await page.locator(await stage.play('lossy')).click();
    await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
    for (let i = 0; i < 6; i++) await stage.play('tool-result');
    await page.getByText('This request was dropped from the list.').waitFor();
    await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
    await page.getByRole('button', { name: /\/logit_bias/ }).click();
    assert.equal(await page.locator('.selected').count(), 1);
    assert.ok(await isFilled(page));
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByText('find_trains').first().waitFor();
    assert.ok(await page.getByRole('button', { name: 'Replay…' }).isDisabled());
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('#detail').waitFor({ state: 'hidden' });
    assert.ok(await isFilled(page));
  });
}

test('an open request stays when the list is cleared, and clearing asks', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('lossy')).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Clear all requests…' }).click();
  const question = page.getByRole('dialog', { name: 'Clear all requests?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.spacer .row').count(), 1);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Clear all requests…' }).click();
  await question.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('This request was dropped from the list.').waitFor();
  assert.ok(await isFilled(page));
  assert.equal(await page.locator('.spacer .row').count(), 0);
});

test('the address of a dropped request says so and fills the page', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.play('lossy');
  await page.goto(`${stage.url}/requests/req_gone`);
  await page.getByRole('alert').getByText('This request was dropped, or this gateway never had it.').waitFor();
  assert.ok(await isFilled(page));
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.spacer .row').waitFor();
});

test('a pinned request can be kept while all others are cleared', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  /** @type {unknown[]} */
  const sent = [];
  for (const path of ['**/api/exchanges/*/pin', '**/api/clear']) {
    await page.route(path, (route) => {
      sent.push([new URL(route.request().url()).pathname, route.request().postDataJSON()]);
      return route.fulfill({ status: 204 });
    });
  }
  await show(page, [summary(1, { pinned: true }), summary(9)], { pinned: [1], oldest: 9 });
  await page.locator('.row[data-number="1"] .pin').waitFor();
  await page.getByLabel('Filter by status').selectOption('Pinned');
  await page.locator('.spacer .row[data-number="9"]').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.spacer .row').count(), 1);
  await page.locator('.spacer .row').click();
  await page.getByRole('button', { name: 'Unpin' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Clear all requests…' }).click();
  assert.ok(await page.getByLabel('Keep 1 pinned request').isChecked());
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.locator('.notice', { hasText: 'Cleared.' }).waitFor();
  assert.deepEqual(sent, [['/api/exchanges/1/pin', { pinned: false }], ['/api/clear', { keepPinned: true }]]);
});

test('a replay is opened although news of it come later, and nothing claims that it was dropped', async (t) => {
  const { page, stage } = await open(t, browser, { size: 'wide' });
  await page.evaluate(() => {
    /** @type {any} */ (window).notices = [];
    new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) /** @type {any} */ (window).notices.push(node.textContent);
    }).observe(document.body, { childList: true });
  });
  await page.locator(await stage.play('lossy')).click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: '#1', exact: true }).waitFor();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  const notices = await page.evaluate(() => /** @type {any} */ (window).notices);
  assert.deepEqual(notices.filter((/** @type {string} */ text) => /dropped|no longer|not recorded/.test(text)), []);
  assert.ok(await isFilled(page));
});

for (const width of [1280, 1000, 400]) {
  test(`j, k and visible buttons open the next request at ${width} px`, async (t) => {
    const { page, stage } = await open(t, browser);
    await page.setViewportSize({ width, height: 800 });
    const rows = [await stage.play('lossy'), await stage.play('refused'), await stage.play('tool-result')];
    await page.locator(rows[2]).click();
    await isOpen(page, '200 POST /v1/chat/completions');
    assert.ok(await page.getByRole('button', { name: 'Previous' }).isDisabled());
    await page.keyboard.press('j');
    await isOpen(page, '400 POST /v1/chat/completions');
    await page.getByText('2 of 3').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
    await page.keyboard.press('k');
    await isOpen(page, '400 POST /v1/chat/completions');
    await page.keyboard.press('Escape');
    await page.locator('#detail').waitFor({ state: 'hidden' });
  });
}

test('arrows move in the list without a focus, and ? shows the keys', async (t) => {
  const { page, stage } = await open(t, browser);
  for (const scene of ['lossy', 'refused']) await stage.play(scene);
  await page.locator('.spacer .row').nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-number')), '1');
  await page.keyboard.press('?');
  await page.getByText('with an open request: the next and the previous one').waitFor();
});

test('a session that ended says which command prints a new link', async (t) => {
  const { page } = await open(t, browser);
  await page.route('**/api/events', (route) => route.fulfill({ status: 401, json: { error: 'no session' } }));
  await page.route('**/api/exchanges/0', (route) => route.fulfill({ status: 401, json: { error: 'no session', command: 'kill -HUP 4711' } }));
  await page.reload();
  const end = page.getByRole('alert').filter({ hasText: 'Session ended.' });
  await end.waitFor();
  assert.match(await end.innerText(), /Run kill -HUP 4711\. It prints a new link in the log/);
  await page.unroute('**/api/events');
  await feed(page, [summary(1)]);
  await end.getByRole('button', { name: 'Reload' }).click();
  await page.locator('.spacer .row').waitFor();
});
