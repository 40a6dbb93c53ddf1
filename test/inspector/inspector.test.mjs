// The page in a browser: what people do with it, and what they see.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, open, serve } from './browser.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('who opens a request for the first time sees what it lost, why, and where on both sides', async (t) => {
  const { page, stage } = await open(t, browser, { size: 'wide' });
  await stage.play('lossy');
  await page.getByRole('row', { name: /4 lost/ }).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'lost /logit_bias Gemini has no weights for tokens' }).count(), 1);

  await page.getByRole('button', { name: /\/messages\/1\/name/ }).click();
  const panes = page.locator('.pane');
  assert.match(await panes.nth(0).locator('.selected').innerText(), /"name": "ada"/);
  assert.match(await panes.nth(1).locator('.selected').innerText(), /When does the last train/);
  assert.match(await panes.nth(1).locator('p.said').innerText(), /Gemini has no field for \/messages\/1\/name/);

  await page.getByRole('button', { name: /\/logit_bias/ }).click();
  assert.match(await panes.nth(0).locator('.selected').innerText(), /"logit_bias": \{"50256": -100\}/);
  assert.ok(await panes.nth(0).locator('.selected').first().isVisible());
  assert.equal(await panes.nth(1).locator('.selected').count(), 0);
  assert.equal(await panes.nth(1).locator('p.said').innerText(), 'Gemini has no field for /logit_bias.');
});

test('JSON is shown with its numbers as they were written', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.play('lossy');
  await page.getByRole('row', { name: /4 lost/ }).click();
  await page.getByRole('region', { name: 'OpenAI: Client request' }).getByText('0.20', { exact: true }).waitFor();
  const copied = await page.evaluate(async () => {
    /** @type {HTMLElement} */ (document.querySelector('.pane .tools button')).click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    return navigator.clipboard.readText();
  });
  assert.match(copied, /^\{\n {2}"model": "gpt-4o"/);
});

test('requests show up as they come, and are found by filters', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.getByText('No requests yet').waitFor();
  for (const scene of ['lossy', 'streamed', 'out-of-quota', 'refused', 'running']) await stage.play(scene);
  const rows = page.locator('.spacer .row');
  await rows.nth(4).waitFor();
  /** @param {number} n */
  const shown = async (n) => {
    await page.waitForFunction((want) => document.querySelectorAll('.spacer .row').length === want, n);
  };
  await page.getByLabel('Search client').fill('quota nightly');
  await shown(1);
  await page.getByLabel('Search client').fill('');
  await page.getByLabel('Filter by status').selectOption('4');
  await shown(2);
  await page.getByLabel('Filter by status').selectOption('running');
  await shown(1);
  await page.getByLabel('Filter by status').selectOption('');
  await page.getByLabel('Filter by model').selectOption('gemini-3.6-flash');
  await shown(3);
  await page.getByLabel('Only lossy').check();
  await shown(1);
  await page.getByLabel('Search client').fill('nothing has this');
  await page.getByText('No matches in 5 requests.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shown(5);
});

test('a stream has the chunks of both sides on one time axis', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('streamed')).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  assert.equal(await page.locator('.lane', { hasText: 'Gemini' }).locator('i').count(), 11); // request, response, 9 chunks
  assert.ok(await page.locator('.lane', { hasText: 'OpenAI' }).locator('i.first').isVisible());
  const first = page.locator('tbody tr', { hasText: 'Reading the timetable' });
  assert.deepEqual(await first.locator('td:nth-child(2)').allInnerTexts(), ['Gemini', 'OpenAI']);
  assert.deepEqual(await first.locator('td:nth-child(1)').allInnerTexts(), ['970 ms', '970 ms']);
  await first.first().getByRole('button').click();
  await page.locator('.chosen').getByText('"**Reading the timetable**').waitFor();
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByText('chunk 3 · 1.39 s').first().waitFor();
});

test('attempts and waits are shown, and each attempt’s answer', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('rate-limited')).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  assert.equal(await page.locator('.bar.wait').count(), 1);
  await page.getByText('RESOURCE_EXHAUSTED: The quota for this model is used up. Retry after 2.00 s.').waitFor();
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByLabel('Attempt').selectOption('0');
  await page.locator('.pane').nth(1).getByText('"RESOURCE_EXHAUSTED"').waitFor();
});

test('it is said what became of each signature', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.play('lossy');
  await page.locator(await stage.play('tool-result')).click();
  await page.getByRole('tab', { name: 'Signatures (1)' }).click();
  await page.getByRole('row', { name: /client → Gemini extension/ }).getByText('/contents/1/parts/0/thoughtSignature').waitFor();
});

test('an error leads to its place in the request', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('refused')).click();
  await page.getByText('Rejected by the gateway; nothing was sent to Gemini.').waitFor();
  await page.getByRole('button', { name: 'Show /messages/1' }).click();
  assert.match(await page.locator('.selected').allInnerTexts().then((t) => t.join('')), /"call_1"/);
});

test('commands of both dialects are copied', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('lossy')).click();
  for (const [button, begin, credential] of [
    ['Copy curl (OpenAI)', "curl 'http://127.0.0.1:8080/v1/chat/completions'", '"Authorization: Bearer $GEMWIRE_API_KEY"'],
    ['Copy curl (Gemini)', "curl 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent'", '"x-goog-api-key: $GEMINI_API_KEY"'],
  ]) {
    await page.getByRole('button', { name: button }).click();
    await page.waitForFunction(async (text) => (await navigator.clipboard.readText()).startsWith(text), begin);
    assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(credential));
  }
});

test('a request is replayed with another body, and the new one is opened', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('lossy')).click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  const body = page.getByLabel('Body of the request');
  const text = await body.inputValue();
  await body.fill('{"model":');
  await page.getByText(/^Not JSON/).waitFor();
  await body.fill(text.replace('Porto', 'Braga').replace(/\s+"logit_bias"[^}]*\},/, ''));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('3 fields of this request were not sent to Gemini.').waitFor();
  await page.locator('.pane').first().getByText(/from Braga to Faro/).waitFor();
  await page.getByRole('link', { name: '#1', exact: true }).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
});

test('fixtures and archives are files', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('rate-limited')).click();
  for (const [link, name, has] of [['Download fixture', 'gemwire-1.fixture.json', '"retryDelay": "2s"'], ['Download HAR', 'gemwire-1.har', '"version": "1.2"']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: link }).click()]);
    assert.equal(download.suggestedFilename(), name);
    assert.ok(readFileSync(await download.path(), 'utf8').includes(has));
  }
});

test('without bodies the page says so, and how to get them', async (t) => {
  const { page, stage } = await open(t, browser, { args: [] });
  await stage.play('lossy');
  await page.getByRole('row', { name: /4 lost/ }).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  assert.equal(await page.getByText('Bodies were not being recorded.').count(), 2);
  assert.ok(await page.getByRole('button', { name: 'Replay…' }).isDisabled());
  await page.getByLabel('Record bodies').check();
  await page.waitForFunction(() => document.getElementById('said')?.textContent === 'Recording bodies of new requests.');
  await page.locator(await stage.play('lossy')).click();
  await page.locator('.pane').first().getByText('"gpt-4o"').waitFor();
});

test('what is too long to be kept is said', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('long')).click();
  await page.getByText(/Long strings truncated: .* not recorded/).first().waitFor();
  await page.locator('.pane').first().getByRole('button', { name: /more characters/ }).click();
  await page.locator('.pane').first().getByText(/gemwire left out \d+ bytes/).waitFor();
});

test('the list makes only the rows in view', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.history(450);
  await page.waitForFunction(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '451');
  assert.ok(await page.locator('.spacer .row').count() < 60);
  await page.locator('.spacer .row').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-number') === '1');
  assert.ok(await page.locator('.spacer .row').count() < 60);
  assert.equal(await page.locator('#chart svg').count(), 3);
  assert.match(await page.locator('#chart svg').first().getAttribute('aria-label') ?? '', /^Tokens: .*k in, .*k out, /);
});

test('everything is done by keyboard', async (t) => {
  const { page, stage } = await open(t, browser);
  for (const scene of ['lossy', 'streamed', 'rate-limited']) await stage.play(scene);
  await page.locator('.spacer .row').nth(2).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-number') ?? document.activeElement?.id ?? document.activeElement?.tagName);
  await page.keyboard.press('/');
  assert.equal(await focused(), 'filter-text');
  await page.keyboard.press('Escape');
  for (const row of ['3', '2', '1']) {
    await page.keyboard.press('j');
    assert.equal(await focused(), row);
  }
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  await page.keyboard.press('n');
  await page.locator('.finding[aria-pressed=true]').getByText('/messages/1/name').waitFor();
  await page.keyboard.press('n');
  await page.locator('.finding[aria-pressed=true]').getByText('/logit_bias').waitFor();
  await page.keyboard.press('p');
  await page.locator('.finding[aria-pressed=true]').getByText('/messages/1/name').waitFor();
  await page.keyboard.press('3');
  await page.getByRole('tab', { name: 'Response', selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
  assert.equal(await focused(), 'tab-timeline');
  await page.keyboard.press('Escape');
  await page.locator('#detail').waitFor({ state: 'hidden' });
  assert.equal(await focused(), '1');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Inspector' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('an open request that runs is brought up to date', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('running')).click();
  await page.getByText('Nothing lost so far.').waitFor();
  await stage.leave();
  await page.getByText('The client disconnected before the response was complete.').waitFor();
  await page.getByRole('row', { name: /client disconnected/ }).waitFor();
});

test('a failure and a lost connection are said', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.play('lossy');
  await page.route('**/api/exchanges/1', (route) => route.fulfill({ status: 500, body: '{"error":"made to fail"}' }));
  await page.locator('.spacer .row').click();
  await page.getByRole('alert').getByText('made to fail').waitFor();
  await page.unroute('**/api/exchanges/1');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  await stage.close();
  await page.getByText('Disconnected – reconnecting…').waitFor();
});
