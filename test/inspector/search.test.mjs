// The search box: a query for the server, its completions, and what happens without an answer.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { show, summary } from './feed.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const exchanges = [1, 2, 3, 4].map((n) => summary(n, n === 2 ? { status: 500, client: 'team-search' } : {}));

/** Answers searches and completions. @param {Page} page @param {(query: string) => object} search */
async function answer(page, search) {
  await page.route('**/api/search?*', (route) => route.fulfill({ json: search(new URL(route.request().url()).searchParams.get('q') ?? '') }));
  await page.route('**/api/search/words?*', (route) => {
    const query = new URL(route.request().url()).searchParams.get('q') ?? '';
    const all = query.endsWith('status:')
      ? [{ text: 'status:failed', label: 'failed', detail: '1 request', from: 0, to: 7 }, { text: 'status:ok', label: 'ok', detail: '3 requests', from: 0, to: 7 }]
      : [{ text: 'status:', label: 'status:', detail: 'how the request ended', from: 0, to: query.length }, { text: 'since:', label: 'since:', detail: 'not older than', from: 0, to: query.length }];
    return route.fulfill({ json: all });
  });
}

/** @param {Page} page @param {number[]} wanted */
const rows = (page, wanted) => page.waitForFunction((want) =>
  [...document.querySelectorAll('.spacer .row')].map((row) => row.getAttribute('data-number')).join() === want, wanted.join());

test('a query is answered by the server, with the count of its matches and the address', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await answer(page, (query) => ({
    total: 2, numbers: query === 'train' ? [1, 3] : [],
    matches: { 1: [{ where: 'client request', pointer: '/messages/0', before: 'the last ', hit: 'train', after: ' to Faro' }], 3: [{ where: 'answer', before: '', hit: 'train', after: '' }, { where: 'error', before: '', hit: 'train', after: '' }] },
  }));
  await show(page, exchanges);
  await page.getByRole('combobox', { name: /^Search/ }).fill('train');
  await rows(page, [3, 1]);
  await page.locator('.counts', { hasText: '2 of 4 requests. 3 matches in 2 requests' }).waitFor();
  assert.equal(await page.locator('.row[data-number="1"] mark').innerText(), 'train');
  assert.match(page.url(), /\?q=train$/);
  await page.reload();
  await rows(page, [3, 1]);
  assert.equal(await page.getByRole('combobox', { name: /^Search/ }).inputValue(), 'train');
});

test('a query completes itself by keyboard, as a combobox does', async (t) => {
  const { page } = await open(t, browser);
  await answer(page, (query) => ({ total: 1, numbers: query === 'status:failed' ? [2] : [1, 2, 3, 4], matches: {} }));
  await show(page, exchanges);
  const box = page.getByRole('combobox', { name: /^Search/ });
  await page.keyboard.press('/');
  await box.pressSequentially('st');
  await page.getByRole('listbox', { name: 'Completions' }).waitFor();
  assert.equal(await box.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  assert.equal(await box.getAttribute('aria-activedescendant'), 'completion-0');
  assert.equal(await page.getByRole('listbox', { name: 'Completions' }).getByRole('option', { selected: true }).innerText().then((text) => text.split('\n')[0]), 'status:');
  await page.keyboard.press('Enter');
  assert.equal(await box.inputValue(), 'status:');
  await page.getByRole('option', { name: /failed/ }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await rows(page, [2]);
  assert.equal(await box.inputValue(), 'status:failed ');
  await box.pressSequentially('s');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  assert.equal(await box.getAttribute('aria-expanded'), 'false');
});

test('a wrong query says where it is wrong, and the words are searched in the list', async (t) => {
  const { page } = await open(t, browser);
  await answer(page, () => ({ total: 0, numbers: [], error: 'unknown filter "statu"; use status:', at: 3 }));
  await show(page, exchanges);
  const box = page.getByRole('combobox', { name: /^Search/ });
  await box.fill('team-search');
  await page.locator('.counts', { hasText: 'unknown filter "statu"; use status: (at character 4)' }).waitFor();
  assert.equal(await box.getAttribute('aria-invalid'), 'true');
  await rows(page, [2]);
});

test('without a search of the server the words are searched in the list', async (t) => {
  const { page } = await open(t, browser);
  await page.route('**/api/search?*', (route) => route.fulfill({ status: 404, json: { error: 'nothing here' } }));
  await show(page, exchanges);
  await page.getByRole('combobox', { name: /^Search/ }).fill('team-search');
  await rows(page, [2]);
  await page.locator('.counts', { hasText: '1 of 4 requests. Searching only what the list shows.' }).waitFor();
});

test('the hit of a search is within its cell, with the whole text as its title', async (t) => {
  const { page } = await open(t, browser);
  const before = '{"model":"gemini-3.6-flash","messages":[{"content":"the very ';
  await answer(page, () => ({ total: 1, numbers: [1], matches: { 1: [{ where: 'client request', before, hit: 'train', after: ' to Faro' }] } }));
  await show(page, exchanges);
  await page.getByRole('combobox', { name: /^Search/ }).fill('train');
  const mark = page.locator('.row[data-number="1"] mark');
  await mark.waitFor();
  const [hit, cell] = [await mark.boundingBox(), await page.locator('.row[data-number="1"] .c-prompt').boundingBox()];
  assert.ok(hit && cell && hit.x >= cell.x && hit.x + hit.width <= cell.x + cell.width, `${JSON.stringify(hit)} in ${JSON.stringify(cell)}`);
  assert.equal(await mark.locator('..').getAttribute('title'), `client request: ${before}train to Faro`);
});
