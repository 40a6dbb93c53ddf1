// Bulk jobs on the page: how far they are, how they go on, and why lines failed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open } from './browser.mjs';
import { visit } from './fake.mjs';
import { serve } from './gateway.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('a gateway without jobs does not offer them', async (t) => {
  const { page } = await open(t, browser);
  await page.getByText('No requests yet').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Jobs' }).count(), 0);
});

test('jobs are shown with their states, and one as it goes on', async (t) => {
  const { page, stage } = await open(t, browser, { args: ['jobs'] });
  await stage.jobs();
  await page.getByRole('link', { name: 'Jobs' }).click();
  const rows = page.locator('#jobs tbody tr');
  await rows.nth(3).waitFor();
  const states = await page.locator('#jobs tbody .badge').allInnerTexts();
  for (const state of ['in progress', 'paused', 'completed', 'failed']) assert.ok(states.includes(state), state);
  assert.match(await rows.nth(2).innerText(), /100 %.*1,000,000 of 1,000,000/s);

  await page.getByRole('link', { name: 'batch_4c1d' }).click();
  const job = page.getByRole('article', { name: 'Job batch_4c1d' });
  await job.getByText('rate_limit_exceeded').first().waitFor();
  const before = await job.getByRole('img').getAttribute('aria-label');
  await page.waitForFunction((was) => document.querySelector('#jobs figure svg')?.getAttribute('aria-label') !== was, before);
  await job.getByText(/\d lines\/s, .* left/).waitFor();
});

test('what failed is told line by line, and runs nothing', async (t) => {
  const { page, stage } = await open(t, browser, { args: ['jobs'] });
  await stage.jobs();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('link', { name: 'batch_4c1d' }).click();
  const lines = page.getByRole('region', { name: 'The first failed lines' });
  await lines.getByText('<script>alert(1)</script>').waitFor();
  assert.equal(await page.locator('#jobs script, #jobs img').count(), 0);
  await page.getByRole('link', { name: 'batch_1e55' }).click();
  await lines.getByText('the line is no JSON at byte 40').waitFor();
});

test('the way to the jobs and back goes by keyboard and by address', async (t) => {
  const { page, stage } = await open(t, browser, { args: ['bodies', 'jobs'] });
  await stage.jobs();
  await stage.play('lossy');
  await page.getByRole('link', { name: 'Jobs' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'batch_3b7a' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('the daily quota is used up until 08:00').waitFor();
  assert.match(page.url(), /\/jobs\/batch_3b7a$/);
  await page.reload();
  await page.getByText('the daily quota is used up until 08:00').waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByRole('row', { name: /4 lost/ }).click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
  assert.ok(await page.locator('#jobs').isHidden());
});

test('the lines of a real batch are one row, which leads to them and to their job', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gemwire-bulk-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const gateway = await serve(t, { flags: ['--store', folder] });
  const page = await visit(t, browser, gateway.link);
  const ask = async (/** @type {string} */ path, /** @type {RequestInit} */ of) => {
    const answer = await fetch(gateway.url() + path, of);
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  };
  const lines = Array.from({ length: 30 }, (_, i) => JSON.stringify({
    custom_id: `q${i}`, method: 'POST', url: '/v1/chat/completions',
    body: { model: 'gemini-3.6-flash', messages: [{ role: 'user', content: `Question ${i}` }], ...(i % 10 === 0 ? { logit_bias: { 5: 1 } } : {}) },
  }));
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob([lines.join('\n')]), 'questions.jsonl');
  const file = await ask('/v1/files', { method: 'POST', body: form });
  const batch = await ask('/v1/batches', {
    method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' }),
  });
  await gateway.ask({ model: 'gemini-3.6-flash', messages: [{ role: 'user', content: 'Not of the batch' }] });
  const row = page.locator('.row.job');
  await row.getByText('30 lines').waitFor();
  assert.equal(await row.count(), 1);
  await page.locator('.spacer .row:not(.job)', { hasText: 'Not of the batch' }).waitFor();
  await row.click();
  await page.getByText(`Lines of job ${batch.id}`).waitFor();
  assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '31');
  await page.locator('#filter-text').fill(`job:${batch.id} is:lossy`);
  await page.locator('#listbar').getByText(/^3 of /).waitFor();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('link', { name: batch.id }).click();
  await page.getByRole('article', { name: `Job ${batch.id}` }).getByText('30 answered, 0 failed, of 30').waitFor();
  await page.getByRole('link', { name: 'Show its lines in the list of requests' }).click();
  await page.getByText(`Lines of job ${batch.id}`).waitFor();
});
