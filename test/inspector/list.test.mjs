// The list: columns, order, search, jobs, and ten thousand requests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { show, summary } from './feed.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch('--js-flags=--expose-gc', '--enable-precise-memory-info'); });
after(() => browser.close());

/** @param {number} n @param {(number: number) => Record<string, unknown>} [changes] */
const many = (n, changes = () => ({})) => Array.from({ length: n }, (_, i) => summary(i + 1, changes(i + 1)));

/** @param {import('playwright-core').Page} page */
const numbers = (page) => page.locator('.spacer .row').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-number'))));

/**
 * Waits until a request is the first of the list, which is drawn with the next frame.
 * @param {import('playwright-core').Page} page
 * @param {number} number
 */
const first = (page, number) => page.locator('.spacer .row').first().and(page.locator(`[data-number="${number}"]`)).waitFor();

test('ten thousand requests scroll smoothly and take little memory', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await show(page, many(10_000));
  assert.ok(await page.locator('.spacer .row').count() < 60);
  // The time that the page itself takes counts; the machine may do other things.
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN);
  };
  const frames = [];
  for (let i = 0; i < 120; i++) {
    const before = await spent();
    await page.evaluate(async () => {
      /** @type {HTMLElement} */ (document.querySelector('.rows')).scrollTop += 1400;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(undefined))));
    });
    frames.push(await spent() - before);
  }
  const p95 = frames.sort((x, y) => x - y)[Math.floor(frames.length * 0.95)];
  t.diagnostic(`p95 of a scrolled frame: ${p95.toFixed(1)} ms`);
  assert.ok(p95 < 50, `p95 ${p95} ms`);
  const held = await page.evaluate(async () => {
    /** @type {any} */ (window).gc();
    await new Promise((resolve) => setTimeout(resolve, 200));
    /** @type {any} */ (window).gc();
    return /** @type {any} */ (performance).memory.usedJSHeapSize;
  });
  t.diagnostic(`the page holds ${(held / 2 ** 20).toFixed(1)} MB`);
  assert.ok(held < 20 * 2 ** 20, `${held} bytes`);
  assert.equal(await page.locator('[role=grid]').getAttribute('aria-rowcount'), '10001');
  const indexes = await page.locator('.spacer .row').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))));
  assert.deepEqual(indexes, [...indexes].sort((a, b) => a - b), 'rows are in their order for screen readers');
});

test('columns sort, and the order stays after a reload', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await show(page, many(60));
  const header = page.getByRole('columnheader', { name: 'Duration' });
  await header.getByRole('button').click();
  assert.equal(await header.getAttribute('aria-sort'), 'descending');
  const slowest = many(60).sort((a, b) => b.duration - a.duration)[0].number;
  await first(page, slowest);
  await header.getByRole('button').click();
  assert.equal(await header.getAttribute('aria-sort'), 'ascending');
  assert.match(page.url(), /sort=duration/);
  await page.reload();
  await page.locator('.spacer .row').first().waitFor();
  await first(page, many(60).sort((a, b) => a.duration - b.duration)[0].number);
  await page.getByRole('columnheader', { name: /^Time/ }).getByRole('button').click();
  await first(page, 60);
});

test('columns can be chosen, and the choice is remembered', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await show(page, many(5));
  assert.equal(await page.getByRole('columnheader', { name: 'Endpoint' }).count(), 0);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('checkbox', { name: 'Endpoint' }).check();
  await page.getByRole('checkbox', { name: 'Cost' }).uncheck();
  await page.keyboard.press('Escape');
  for (const visit of ['at once', 'after a reload']) {
    assert.equal(await page.getByRole('columnheader', { name: 'Endpoint' }).count(), 1, visit);
    assert.equal(await page.getByRole('columnheader', { name: 'Cost' }).count(), 0, visit);
    await page.reload();
    await page.locator('.spacer .row').first().waitFor();
  }
  await page.getByRole('button', { name: 'Columns…' }).click();
  await page.getByRole('button', { name: 'Reset to the default' }).click();
  assert.ok(await page.getByRole('checkbox', { name: 'Cost' }).isChecked());
});

test('a row says where its time went', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await show(page, [summary(1, { duration: 3000, phases: { gateway: 10, room: 0, backoff: 2000, firstToken: 700, generation: 290 } }), summary(2, { duration: 100 })]);
  const bar = page.getByRole('img', { name: 'gateway 10 ms, waiting to retry 2.00 s, waiting for the first token 700 ms, generation 290 ms' });
  assert.equal(await bar.count(), 1);
  const [waited, all] = await bar.evaluate((e) => [e.querySelector('.p-backoff'), e].map((part) => part?.getBoundingClientRect().width ?? 0));
  assert.ok(Math.abs(waited / all - 2 / 3) < 0.05, `${waited} of ${all} px`);
});

test('the prompt is in the list', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await show(page, many(3));
  await page.getByRole('gridcell', { name: /Question 3: when does the last train/ }).waitFor();
});

test('requests of a time range are shown alone', async (t) => {
  const { page } = await open(t, browser);
  await show(page, [summary(1, { at: new Date(Date.now() - 7_200_000).toISOString() }), summary(2, { at: new Date(Date.now() - 60_000).toISOString() })]);
  await page.getByLabel('Filter by time').selectOption('Last 5 minutes');
  await page.locator('.spacer .row[data-number="1"]').waitFor({ state: 'detached' });
  assert.deepEqual(await numbers(page), [2]);
  assert.match(page.url(), /since=5/);
});

test('the lines of a job are one row, which leads to them', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  const lines = many(3000, (n) => ({ job: 'batch_4c1d', client: 'nightly', status: n % 100 === 0 ? 429 : 200, lost: 0 }));
  await show(page, [summary(9001), ...lines.map((s) => ({ ...s, number: s.number + 9001, id: `req_line_${s.number}` }))]);
  const job = page.getByRole('row', { name: /Job batch_4c1d 3,000 lines/ });
  await job.getByText('30 failed').waitFor();
  assert.equal(await page.locator('.spacer .row').count(), 2);
  await page.getByLabel('Filter by status').selectOption('Failed');
  await page.getByRole('row', { name: /Job batch_4c1d 30 lines/ }).click();
  await page.getByText('Lines of job batch_4c1d').waitFor();
  assert.equal(await page.locator('[role=grid]').getAttribute('aria-rowcount'), '31');
  await page.getByRole('button', { name: 'Show all requests' }).click();
  await page.getByRole('row', { name: /Job batch_4c1d 30 lines/ }).waitFor();
});

test('an answer that a content filter withheld is not green', async (t) => {
  const { page, stage } = await open(t, browser);
  const row = page.locator(await stage.play('content-filter'));
  await row.getByText('200 · content filter').waitFor();
  assert.equal(await row.locator('.badge.good').count(), 0);
  assert.equal(await row.locator('.badge.warn').count(), 1);
});

test('a name of three thousand characters ends with an ellipsis', async (t) => {
  const { page, stage } = await open(t, browser);
  const row = page.locator(await stage.play('long-name'));
  await row.waitFor();
  await page.waitForFunction(() => document.querySelector('.spacer .row')?.getBoundingClientRect().height === 30);
  await row.click();
  await page.locator('#tab-panel').waitFor();
  for (const part of ['.facts', '.failure', '.model-warnings']) {
    assert.ok(((await page.locator(part).boundingBox())?.height ?? 999) < 190, part);
  }
  assert.match(await page.locator('.facts dd').first().innerText(), /…$/);
  await page.getByText('The whole message').click();
  assert.ok((await page.locator('.failure details').innerText()).length > 1500);
});

test('times have a zone, which can be changed', async (t) => {
  const { stage } = await open(t, browser);
  const context = await browser.newContext({ timezoneId: 'America/New_York', viewport: { width: 1280, height: 800 } });
  t.after(() => context.close());
  const abroad = await context.newPage();
  await abroad.goto(await stage.link());
  await show(abroad, [summary(1, { at: new Date().toISOString().replace(/T.*/, 'T16:30:00Z') })]);
  await abroad.getByRole('columnheader', { name: /Time \(UTC-[45]\)/ }).waitFor();
  assert.match(await abroad.locator('.spacer .row').innerText(), /1[12]:30:00/);
  await abroad.getByLabel('Time zone of all times').selectOption('UTC');
  await abroad.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
  assert.match(await abroad.locator('.spacer .row').innerText(), /16:30:00/);
  await abroad.reload();
  await abroad.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
});

test('news leave what is read in its place', async (t) => {
  const { page, stage } = await open(t, browser);
  await stage.history(120);
  await page.waitForFunction(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '121');
  await page.evaluate(() => { document.querySelector('.rows')?.scrollTo(0, 900); });
  const place = () => page.evaluate(() => document.querySelector('.row[data-number="85"]')?.getBoundingClientRect().top);
  await page.locator('.row[data-number="85"]').waitFor();
  const was = await place();
  await stage.play('lossy');
  await page.waitForFunction(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === '122');
  await page.waitForTimeout(200);
  assert.equal(await place(), was);
});

test('the prompt is on a narrow page too', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  await page.setViewportSize({ width: 400, height: 800 });
  await show(page, many(3));
  const prompt = page.getByRole('gridcell', { name: /Question 3: when does the last train/ });
  await prompt.waitFor();
  const [cell, row] = [await prompt.boundingBox(), await page.locator('.spacer .row[data-number="3"]').boundingBox()];
  assert.ok(cell && row && cell.y >= row.y && cell.y + cell.height <= row.y + row.height, 'it is within its row');
});
