// One request: its losses and their places, its times, its words, and texts that would deceive.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';
import { show, summary } from './feed.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** @param {Page} page @param {object} d what the server knows of exchange 1 */
async function showDetail(page, d) {
  const whole = {
    summary: summary(1), client: { chunks: [] }, tries: [], attempts: [], findings: [], signatures: [],
    leftOut: { chunks: 0, findings: 0, signatures: 0 }, canReplay: true, notes: {}, ...d,
  };
  await page.route('**/api/exchanges/1', (route) => route.fulfill({ json: whole }));
  await show(page, [whole.summary]);
  await page.locator('.spacer .row').click();
  await page.locator('#tab-panel').waitFor();
}

/** A message with a body. @param {unknown} body @param {object} [more] */
const message = (body, more = {}) => ({ at: 0, method: 'POST', url: '/v1/chat/completions', header: [], body: typeof body === 'string' ? body : JSON.stringify(body), leftOut: 0, cut: false, ...more });

/** @param {Page} page @param {string} selector */
const top = async (page, selector) => (await page.locator(selector).first().boundingBox())?.y ?? NaN;

test('choosing a loss does not move the list, and the marked line lands in the upper third', async (t) => {
  const { page } = await open(t, browser);
  const messages = Array.from({ length: 300 }, (_, i) => ({ role: 'user', name: `person ${i}`, content: `What about ${i}? ${'It is long. '.repeat(10)}` }));
  const findings = [3, 150, 290].map((i) => ({ side: 'client', kind: 'lost', pointer: `/messages/${i}/name`, detail: `reason ${i}`, here: `/messages/${i}/name` }));
  await showDetail(page, { client: { request: message({ messages }), chunks: [] }, tries: [{ request: message({ contents: [] }), chunks: [] }], findings });
  for (const loss of [2, 0, 1]) {
    const place = await top(page, `.finding >> nth=${loss}`);
    await page.locator('.finding').nth(loss).click();
    assert.equal(await top(page, `.finding >> nth=${loss}`), place, 'the list moved under the pointer');
    const box = await page.locator('.pane .json').first().boundingBox();
    const line = await top(page, '.selected');
    assert.ok(box && line >= box.y && line <= box.y + box.height / 3, `line at ${line} of ${JSON.stringify(box)}`);
    assert.ok(line < 800 * 0.98, 'the line is in view');
  }
});

test('a narrow page shows one side at a time, and the side that is marked', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.setViewportSize({ width: 800, height: 900 });
  await page.locator(await stage.play('lossy')).click();
  const [client, gemini] = [page.getByRole('region', { name: 'OpenAI: Client request' }), page.getByRole('region', { name: 'Gemini: Sent to Gemini' })];
  await client.waitFor();
  assert.ok(await gemini.isHidden());
  await page.getByRole('button', { name: 'Gemini: Sent to Gemini' }).click();
  await gemini.waitFor();
  assert.ok(await client.isHidden());
  await page.getByRole('button', { name: /\/logit_bias/ }).click();
  await client.waitFor();
  const line = await top(page, '.selected');
  assert.ok(line > 0 && line < 450, `the marked line is at ${line}`);
});

test('the wait before a retry has its name and length', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('rate-limited')).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  assert.equal(await page.locator('.bar.wait').innerText(), 'wait 2.00 s');
  assert.match(await page.locator('.axis').getAttribute('aria-label') ?? '', /waiting 2\.00 s before the retry/);
});

test('the attempt of a stream lasts to its last chunk, with a mark of the first', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('streamed')).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const edges = await page.evaluate(() => ['.bar.good', '.first-chunk', '.lane:nth-child(2) .tick:last-child'].map((selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return [box?.left ?? 0, box?.right ?? 0];
  }));
  const [[from, to], [first], [last]] = edges;
  assert.ok(Math.abs(to - last) < 4, `the bar ends at ${to}, the last chunk is at ${last}`);
  assert.ok(first > from + 20 && first < to - 20, `the first chunk is at ${first} between ${from} and ${to}`);
  assert.match(await page.locator('section', { hasText: 'Attempts' }).locator('tbody tr').first().innerText(), /970 ms/);
});

test('a look-up of models is no attempt', async (t) => {
  const { page, stage } = await open(t, browser);
  await page.locator(await stage.play('look-up')).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const calls = page.getByRole('region', { name: 'Attempts' }).locator('tbody tr td:first-child');
  assert.deepEqual(await calls.allInnerTexts(), ['Look-up of models', 'Attempt 1']);
  assert.equal(await page.locator('.bar.good').count(), 1);
  assert.equal(await page.locator('.bar.lookup').count(), 1);
});

test('hidden characters are escapes with a mark, in the list, in JSON, in texts and in errors', async (t) => {
  const { page, stage } = await open(t, browser);
  const row = page.locator(await stage.play('invisible'));
  assert.match(await row.innerText(), /cli\\u200Bent/);
  await row.click();
  await page.locator('#tab-panel').waitFor();
  const name = 'photo_\\u202Egnp.exe';
  assert.ok((await page.locator('.failure').innerText()).includes(name), 'the error');
  assert.ok((await page.locator('.facts').innerText()).includes('gemini\\u202E-3.6-flash'), 'the facts');
  const json = page.locator('.pane .json').first();
  assert.ok((await json.innerText()).includes(`${name}\\u{E0041}\\u{E0042}`), 'the JSON');
  assert.equal(await json.locator('.escape').first().getAttribute('title'), 'U+202E, shows what follows from right to left');
  const raw = await page.evaluate(() => /[\u200b\u202e\u{e0041}]/u.test(document.body.innerText + [...document.querySelectorAll('[title]')].map((e) => e.getAttribute('title')).join('')));
  assert.ok(!raw, 'no hidden character is on the page');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  assert.ok((await page.locator('.timeline').innerText()).includes(name), 'the events');
});

test('escapes that a client wrote are marked, too', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, { client: { request: message('{"file":"photo_\\u202egnp.exe","hidden":"\\udb40\\udc41","plain":"\\u00e9 \\\\u202e"}'), chunks: [] } });
  assert.deepEqual(await page.locator('.json .escape').evaluateAll((all) => all.map((e) => e.getAttribute('title'))),
    ['U+202E, shows what follows from right to left', 'U+E0041, an invisible tag character']);
});

test('emoji and letters that join stay as they are', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, { client: { request: message({ a: '👩‍👩‍👧 ❤️ 1️⃣', b: 'می‌خواهم' }), chunks: [] } });
  assert.equal(await page.locator('.json .escape').count(), 0);
});

/** @type {Record<string, { d: object, says: RegExp, never: RegExp }>} */
const words = {
  'a list of models': {
    d: { summary: summary(1, { form: 'models', method: 'GET', path: '/v1/models' }), unsent: 'own', client: { request: { ...message(''), method: 'GET', body: '' }, response: message({ data: [] }), chunks: [] } },
    says: /Answered by the gateway itself; nothing was sent to Gemini\./, never: /rejected|were not being recorded/i,
  },
  'a stream that broke': {
    d: { summary: summary(1, { error: { type: 'server_error', code: '', message: 'The stream broke.' }, failure: 'stream_cut' }), attempts: [{ number: 1, account: 'a', model: 'm', at: 0, duration: 9, status: 200, error: '', wait: 0 }] },
    says: /Nothing was lost in the part of the response that arrived\./, never: /Nothing was lost, changed or added|Nothing was lost\.$/m,
  },
  'a signature that did not come back': {
    d: { attempts: [{ number: 1, account: 'a', model: 'm', at: 0, duration: 9, status: 200, error: '', wait: 0 }], signatures: [{ side: 'client', pointer: '/contents/1', carrier: 'sentinel', size: 40 }] },
    says: /The thought signature is missing\. gemwire sent a placeholder\./, never: /Nothing was lost|not sent to Gemini/,
  },
  'an error whose message needed a look-up of models': {
    d: {
      summary: summary(1, { status: 404, failure: 'upstream_error', error: { type: 'invalid_request_error', code: 'model_not_found', message: 'no such model' } }),
      attempts: [{ number: 1, account: 'a', model: 'm', at: 0, duration: 9, status: 404, error: 'NOT_FOUND', wait: 0 }, { number: 2, account: 'a', model: '', at: 10, duration: 5, status: 200, error: '', wait: 0 }],
    },
    says: /Gemini returned an error; there is no response to convert\./, never: /could not pass the answer on/,
  },
  'accounts that are paused': {
    d: { summary: summary(1, { status: 429, rest: { account: 'demo', reason: 'the daily quota is used up', until: '2026-11-28T20:00:00Z', by: 'req_7' } }), unsent: 'resting' },
    says: /Not sent to Gemini: all accounts were paused\..*|Account paused/s, never: /rejected/i,
  },
  'a connection that failed': {
    d: { summary: summary(1, { status: 502, error: { type: 'server_error', code: '', message: 'no connection' } }), attempts: [{ number: 1, account: 'a', model: 'm', at: 0, duration: 9, status: 0, error: 'dial tcp: refused', wait: 0 }] },
    says: /Gemini did not answer; there is no response to convert\./, never: /returned an error/,
  },
};

for (const [name, { d, says, never }] of Object.entries(words)) {
  test(`nothing false is said of ${name}`, async (t) => {
    const { page } = await open(t, browser);
    await showDetail(page, d);
    for (const tab of ['Request', 'Response']) {
      await page.getByRole('tab', { name: tab }).click();
      const text = await page.locator('#detail').innerText();
      assert.match(text, says);
      assert.doesNotMatch(text, never);
    }
  });
}

test('a client of the Interactions API has the name of this API', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, { summary: summary(1, { form: 'interactions', path: '/v1beta/interactions' }), client: { request: message({ input: 'hello' }), chunks: [] } });
  await page.getByRole('button', { name: 'Copy curl (Interactions)' }).waitFor();
  await page.getByRole('region', { name: 'Interactions: Client request' }).waitFor();
});

test('a button that is not available has its reason as text', async (t) => {
  const { page, stage } = await open(t, browser, { args: [] });
  await page.locator(await stage.play('lossy')).click();
  const button = page.getByRole('button', { name: 'Download fixture' });
  await page.locator('.reason').first().waitFor();
  assert.ok(await button.isDisabled());
  const reason = await button.evaluate((e) => document.getElementById(e.getAttribute('aria-describedby') ?? '')?.innerText);
  assert.match(reason ?? '', /Download fixture.* are unavailable: bodies were not being recorded/);
  for (const action of await page.locator('.actions button:disabled').all()) assert.ok(await action.getAttribute('aria-describedby'));
});

test('the bytes that broke a stream are shown', async (t) => {
  const { page } = await open(t, browser);
  const chunk = { at: 10, size: 20, data: '{"candidates":[]}' };
  await showDetail(page, { tries: [{ request: message({}), response: message(''), chunks: [chunk] }], broken: '{"candidates":[{"cont' });
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByRole('region', { name: 'Bytes that broke the stream' }).first().getByText('{"candidates":[{"cont').waitFor();
});

test('a body of 5 MB opens in less than 300 ms', async (t) => {
  const { page } = await open(t, browser, { size: 'wide' });
  const messages = Array.from({ length: 6000 }, (_, i) => ({ role: i % 2 ? 'user' : 'assistant', content: `Message ${i}: ${'the quick brown fox jumps over the lazy dog, '.repeat(18)}` }));
  const body = JSON.stringify({ model: 'gpt-4o', messages });
  assert.ok(body.length > 5_000_000, `${body.length}`);
  await page.route('**/api/exchanges/1', (route) => route.fulfill({
    json: {
      summary: summary(1), client: { request: message(body), chunks: [] }, tries: [{ request: message({ contents: [] }), chunks: [] }], attempts: [], signatures: [],
      findings: [{ side: 'client', kind: 'lost', pointer: '/messages/5900/content', detail: 'far below', here: '/messages/5900/content' }],
      leftOut: { chunks: 0, findings: 0, signatures: 0 }, canReplay: true, notes: {},
    },
  }));
  await show(page, [summary(1)]);
  /** @param {string} click @param {string} wanted */
  const took = (click, wanted) => page.evaluate(async ([click, wanted]) => {
    /** @type {HTMLElement} */ (document.querySelector(click)).click();
    // The bytes must be there first: only the work of the page counts.
    const isThere = () => document.querySelector(wanted) !== null;
    let longest = 0;
    let last = performance.now();
    for (let i = 0; i < 2000 && !isThere(); i++) {
      await new Promise((resolve) => setTimeout(resolve));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return { there: isThere(), longest: Math.max(longest, performance.now() - last) };
  }, [click, wanted]);
  const opened = await took('.spacer .row', '.pane .line');
  t.diagnostic(`opening blocks the page for ${opened.longest.toFixed(0)} ms`);
  assert.ok(opened.there && opened.longest < 300, JSON.stringify(opened));
  const marked = await took('.finding', '.selected');
  t.diagnostic(`going to its end blocks the page for ${marked.longest.toFixed(0)} ms`);
  assert.ok(marked.there && marked.longest < 300, JSON.stringify(marked));
  assert.ok(await page.locator('.selected').isVisible());
});

test('a body that the inspector was too busy to keep has its reason', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, {
    client: { request: message('', { cut: true, leftOut: 9 << 20, missed: true }), chunks: [] },
    tries: [{ request: message({ contents: [] }), chunks: [{ at: 5, size: 10, data: '{}' }] }],
    leftOut: { chunks: 3, findings: 0, signatures: 0, busy: true }, notes: { replay: 'Unavailable: the body was not kept because the inspector was busy' },
  });
  await page.locator('.pane').first().getByText('Not kept: the inspector was busy (9 MB).').waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText('3 more chunks not kept: the inspector was busy.').waitFor();
});

test('a call that was sent with a placeholder is not marked as lost', async (t) => {
  const { page } = await open(t, browser);
  const call = { type: 'function_call', name: 'weather' };
  const sent = { contents: [{ parts: [{ functionCall: { name: 'weather' }, thoughtSignature: 'skip_thought_signature_validator' }] }] };
  await showDetail(page, {
    client: { request: message({ input: [call] }), chunks: [] }, tries: [{ request: message(sent), chunks: [] }],
    signatures: [{ side: 'client', pointer: '/contents/0/parts/0/thoughtSignature', carrier: 'sentinel', size: 32 }],
    findings: [{ side: 'client', kind: 'lost', signature: true, pointer: '/input/0', detail: 'the client sent this call back without its thought signature', here: '/input/0', there: '/contents/0/parts/0/thoughtSignature' }],
  });
  await page.getByText('The thought signature is missing. gemwire sent a placeholder.').waitFor();
  await page.locator('.finding').click();
  await page.getByText('gemwire sent a placeholder for the thought signature.').waitFor();
  assert.doesNotMatch(await page.locator('#detail').innerText(), /has no field|not sent to Gemini/);
  assert.equal(await page.locator('.selected-lost, .marked-lost').count(), 0);
});

const answered = (/** @type {number} */ status, /** @type {number} */ wait) => [{ number: 1, account: 'main', model: 'm', at: 0, duration: 9, status, error: '', wait }];

test('a 429 of Gemini says which account it paused', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, { summary: summary(1, { status: 429, failure: 'rate_limited' }), attempts: answered(429, 60_000) });
  assert.match(await page.locator('.facts').innerText(), /Account paused\s+main until .*, since this request/);
});

test('a store that the gateway added is said', async (t) => {
  const { page } = await open(t, browser);
  await showDetail(page, { storeAdded: true, attempts: answered(200, 0) });
  await page.getByText('Nothing was lost or changed. The gateway added “store”: false').waitFor();
});
