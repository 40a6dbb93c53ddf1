// The ten questions of docs/inspector.md, as a new user asks them of a gateway that works.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { visit } from './fake.mjs';
import { emulate, serve } from './gateway.mjs';
import * as files from './files.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const script = {
  fixtures: [
    { name: 'calls a tool', match: { prompt: 'timetable' }, reply: [{ thought: 'The user wants the timetable.' }, { call: { name: 'find_trains', args: { from: 'Porto' } } }] },
    { name: 'tells what the tool found', match: { toolResult: 'find_trains' }, reply: [{ text: ['The station is ', 'unknown.'] }] },
    { name: 'has no quota', match: { prompt: 'busy' }, reply: [{ fault: { kind: 'rateLimited', retryDelay: '60s' } }] },
    { name: 'another model answers at length', match: { model: 'gemini-3.8-flash', prompt: 'ferry' }, reply: [{ text: 'Take the ferry at nine, from pier two.' }] },
    { name: 'answers', match: { prompt: 'ferry' }, reply: { blocks: [{ text: 'Take the ferry at eight.' }], ttft: '300ms' } },
    { name: 'answers otherwise', match: {}, reply: [{ text: 'Hello.' }] },
  ],
};

const model = 'gemini-3.6-flash';
const tools = [{ type: 'function', function: { name: 'find_trains', parameters: { type: 'object', properties: { from: { type: 'string' } } } } }];

/** Starts a gateway with two accounts before the fake server, and opens its inspector. @param {import('node:test').TestContext} t */
async function open(t) {
  const upstream = await emulate(t, script);
  const gateway = await serve(t, { flags: ['--base-url', upstream], env: { GEMINI_API_KEY: 'a-key-of-the-test' } });
  const page = await visit(t, browser, gateway.link);
  return { page, ask: gateway.ask };
}

const said = (/** @type {string} */ content) => ({ role: 'user', content });
const shown = (/** @type {import('playwright-core').Page} */ page) => page.locator('.spacer .row');

/** Asks in two turns, with a tool between them. @param {Awaited<ReturnType<typeof open>>['ask']} ask */
async function callTool(ask) {
  const question = { model, tools, messages: [said('Read the timetable.')] };
  const { text } = await ask(question, undefined, { 'User-Agent': 'travel-app/1.0' });
  const call = JSON.parse(text).choices[0].message;
  const result = { role: 'tool', tool_call_id: call.tool_calls[0].id, content: '{"error":"no such station"}' };
  const answer = await ask({ ...question, stream: true, messages: [...question.messages, call, result] }, undefined, { 'User-Agent': 'travel-app/1.0' });
  assert.equal(answer.status, 200, answer.text);
}

test('why did my request lose a field?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('Hello')], logit_bias: { 5: 1 } });
  await page.getByLabel('Only lossy').check();
  await shown(page).first().click();
  await page.getByText('1 field of this request was not sent to Gemini.').waitFor();
  const item = page.locator('.findings li', { hasText: '/logit_bias' });
  assert.ok((await item.locator('.todo').innerText()).length > 10);
  await item.getByRole('button').click();
  await page.locator('.pane .selected').getByText('"logit_bias"').waitFor();
});

test('which client fails?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('Hello')] }, undefined, { 'User-Agent': 'good-app/1.0' });
  await ask({ model, temprature: 1, messages: [said('Hello')] }, undefined, { 'User-Agent': 'bad-app/1.0' });
  await page.getByRole('link', { name: 'Overview' }).click();
  const row = page.getByRole('region', { name: 'Clients' }).getByRole('row', { name: /bad-app/ });
  await row.getByRole('link', { name: '1', exact: true }).last().click();
  await page.waitForFunction(() => document.querySelectorAll('.spacer .row').length === 1);
  await shown(page).first().click();
  await page.getByText(/temprature/).first().waitFor();
});

test('which model is the slowest?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, stream: true, messages: [said('When is the ferry?')] });
  await ask({ model: 'gemini-3.8-flash', messages: [said('When is the ferry?')] });
  await page.getByRole('link', { name: 'Overview' }).click();
  const row = page.getByRole('region', { name: 'Models' }).getByRole('row', { name: /3\.6-flash/ });
  const [, number, unit] = /([\d.]+) (ms|s)/.exec(await row.innerText()) ?? [];
  assert.ok(Number(number) * (unit === 's' ? 1000 : 1) >= 300, await row.innerText()); // the script's pause, at least
});

test('what did the model say?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, stream: true, messages: [said('When is the ferry?')] });
  await shown(page).first().click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await answer.getByText('Take the ferry at eight.').waitFor();
  await answer.getByRole('button', { name: 'Raw JSON of: Text' }).first().click();
  await page.locator('.pane .selected').first().waitFor();
  await page.getByRole('button', { name: 'Back to the conversation' }).click();
  await answer.waitFor();
});

test('which tool failed?', async (t) => {
  const { page, ask } = await open(t);
  await callTool(ask);
  await page.getByLabel('Search client').fill('tool:find_trains');
  await page.waitForFunction(() => document.querySelectorAll('.spacer .row').length === 2);
  await shown(page).first().click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  const pair = page.locator('.messages .pair').first();
  assert.match(await pair.innerText(), /Call find_trains[\s\S]*Result failed[\s\S]*no such station/i);
  const strip = page.getByRole('navigation', { name: 'Requests of this conversation' });
  await strip.getByText('Turn 2 of 2 of this conversation').waitFor();
  await page.getByRole('tab', { name: /Signatures/ }).click();
  const followed = page.getByRole('region', { name: 'From turn to turn' }).locator('tbody tr').first();
  assert.match(await followed.innerText(), /Turn 1 from Gemini[\s\S]*Turn 2 from the client[\s\S]*yes/);
});

test('was the cache used?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('Hello')] });
  await shown(page).first().click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  assert.match(await page.getByRole('region', { name: 'Answer', exact: true }).innerText(), /tokens in, \d+ out/);
  await page.goto(new URL('/?q=has:cache', page.url()).href);
  await page.getByText(/No matches in 1 request/).waitFor(); // the fake server has no cache
});

test('why this 429?', async (t) => {
  const { page, ask } = await open(t);
  assert.equal((await ask({ model, messages: [said('You are busy')] })).status, 429);
  assert.equal((await ask({ model, messages: [said('Hello')] })).status, 429);
  await page.waitForFunction(() => document.querySelectorAll('.spacer .row').length === 2); // the newest is first
  await shown(page).first().click();
  await page.getByText(/Returned to the client/).waitFor();
  await page.locator('.facts').getByText('Account paused').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  const accounts = page.getByRole('region', { name: 'Accounts' });
  assert.match(await accounts.getByRole('row', { name: /paused/ }).innerText(), /paused[\s\S]*in \d+(\.\d)? s[\s\S]*request #1/);
});

test('is another model better?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('When is the ferry?')] });
  await shown(page).first().click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  await page.getByRole('dialog').getByLabel('Model').fill('gemini-3.8-flash');
  await page.getByRole('button', { name: 'Replay and compare' }).click();
  await page.getByRole('region', { name: 'Numbers of both requests' }).getByRole('row', { name: /^Model/ }).getByText('gemini-3.8-flash').waitFor();
  assert.match((await page.locator('.side ins').allInnerTexts()).join(''), /nine/);
  assert.match((await page.locator('.side del').allInnerTexts()).join(''), /eight/);
});

test('which prompt mentions something?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('Hello')] });
  await ask({ model, messages: [said('How do I find the lighthouse at night?')] });
  await page.keyboard.press('/');
  await page.keyboard.type('"lighthouse at night"');
  await page.waitForFunction(() => document.querySelectorAll('.spacer .row').length === 1);
  await shown(page).first().locator('mark').first().waitFor();
});

test('how do I share what I see?', async (t) => {
  const { page, ask } = await open(t);
  await ask({ model, messages: [said('Hello')] });
  await shown(page).first().click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  const url = page.url();
  assert.match(url, /\/requests\/[^?]+\?.*tab=conversation/);
  const other = await page.context().newPage();
  await other.goto(url);
  await other.getByRole('region', { name: 'Answer', exact: true }).getByText('Hello.').waitFor();
  await other.getByRole('button', { name: 'Menu' }).click();
  const [download] = await Promise.all([other.waitForEvent('download'), other.getByRole('link', { name: 'Export session' }).click()]);
  const [chooser] = await Promise.all([other.waitForEvent('filechooser'), other.getByRole('button', { name: 'Import session…' }).click()]);
  await chooser.setFiles(await download.path());
  await other.locator('.notice').getByText(/[Ii]mported/).waitFor();
});

test('a picture that a client sends is kept and shown', async (t) => {
  const { page, ask } = await open(t);
  const picture = `data:image/png;base64,${noise(64, 48).toString('base64')}`;
  await ask({ model, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, { type: 'image_url', image_url: { url: picture } }] }] });
  await shown(page).first().click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await page.getByText(/image\/png · .* · 64 × 48/).waitFor();
});

/** Returns a picture that does not compress, so that it is kept by its hash. @param {number} width @param {number} height */
function noise(width, height) {
  let state = 1;
  const next = () => ((state = (state * 1103515245 + 12345) % 2 ** 31) >>> 16) & 0xff;
  return files.png(width, height, next);
}

test('many requests are replayed against another model', async (t) => {
  const { page, ask } = await open(t);
  for (let i = 0; i < 3; i++) await ask({ model, messages: [said('When is the ferry?')] });
  await page.waitForFunction(() => document.querySelectorAll('.spacer .row .badge.good').length === 3);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Replay many…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay many requests' });
  await dialog.getByLabel('Model').fill('gemini-3.8-flash');
  await dialog.getByRole('button', { name: 'Send 3 requests' }).click();
  await dialog.getByText('3 of 3 answered, 0 failed.').waitFor();
  assert.equal(await dialog.getByRole('region', { name: 'Outcomes' }).locator('tbody tr').filter({ hasText: 'gemini-3.8-flash' }).count(), 3);
});
