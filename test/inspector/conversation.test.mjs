// A request as a conversation: messages, calls with their results, files, turns and signatures.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isFine } from './axe.mjs';
import { launch } from './browser.mjs';
import { answer, detail, fake, summary, visit } from './fake.mjs';
import * as files from './files.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const hash = (/** @type {string} */ letter) => letter.repeat(64);
const hostile = '<img src=x onerror="window.owned=1"><script>window.owned=1</script> **bold** [link](javascript:alert(1))';

/** The client's document and Gemini's, to whose places the parts point. */
const client = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Answer shortly.' }, { role: 'user', content: 'When does the last train leave?' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'timetable', arguments: '{"from":"Porto"}' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"error":"no such station"}' },
  ],
};
const gemini = {
  systemInstruction: { parts: [{ text: 'Answer shortly.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'When does the last train leave?' }] },
    { role: 'model', parts: [{ text: 'Let me think.', thought: true }, { functionCall: { name: 'timetable', args: { from: 'Porto' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'timetable', response: { error: 'no such station' } } }] },
  ],
};

const talk = {
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'Answer shortly.', gemini: '/systemInstruction/parts/0', client: '/messages/0/content' }] },
    {
      role: 'user', parts: [
        { kind: 'text', text: `When does the last train leave? ${hostile}`, gemini: '/contents/0/parts/0', client: '/messages/1/content' },
        { kind: 'media', mime: 'image/png', media: hash('a'), bytes: 81_234, gemini: '/contents/0/parts/1', client: null },
        { kind: 'media', mime: 'audio/wav', media: hash('b'), bytes: 2048, gemini: null, client: null },
        { kind: 'media', mime: 'application/pdf', media: hash('c'), bytes: 4096, gemini: null, client: null },
        { kind: 'media', mime: 'image/png', media: '', uri: 'https://files.example/secret.png', bytes: 0, gemini: null, client: null },
        { kind: 'media', mime: 'image/svg+xml', media: hash('d'), bytes: 300, gemini: null, client: null },
      ],
    },
    {
      role: 'model', parts: [
        { kind: 'thinking', text: 'Let me think about timetables.', thought: true, gemini: '/contents/1/parts/0', client: null },
        { kind: 'call', name: 'timetable', id: 'call_1', json: '{"from":"Porto","id":12345678901234567890}', signature: 'a3f90c1d22', gemini: '/contents/1/parts/1', client: '/messages/2/tool_calls/0' },
      ],
    },
    { role: 'tool', parts: [{ kind: 'result', name: 'timetable', id: 'call_1', json: '{"error":"no such station"}', gemini: '/contents/2/parts/0', client: '/messages/3/content' }] },
  ],
  answer: [{
    role: 'model', parts: [
      { kind: 'thinking', text: 'The station is unknown.', thought: true, gemini: '/candidates/0/content/parts/0', client: null },
      { kind: 'text', text: 'I do not know **Porto**.\nAnother city?', gemini: '/candidates/0/content/parts/1', client: '/choices/0/message/content' },
      { kind: 'code', name: 'PYTHON', text: 'print(1 + 1)', gemini: null, client: null },
      { kind: 'code_result', name: 'OUTCOME_OK', text: '2', gemini: null, client: null },
      { kind: 'call', name: 'ask_user', id: 'call_2', json: '{}', gemini: null, client: null },
    ],
  }],
  usage: { input: 1200, output: 300, thinking: 80, cached: 400, total: 1500 }, finish: 'STOP', note: '',
};

const media = {
  [`GET /api/media/${hash('a')}`]: answer({ type: 'image/png', body: files.png(64, 40) }),
  [`GET /api/media/${hash('b')}`]: answer({ type: 'audio/wav', body: files.wav(0.5) }),
  [`GET /api/media/${hash('c')}`]: answer({ type: 'application/pdf', body: files.pdf() }),
};

/** Opens the conversation of a request. @param {import('node:test').TestContext} t @param {Record<string, unknown>} [routes] @param {ReturnType<typeof summary>[]} [exchanges] */
async function open(t, routes = {}, exchanges = [summary(1, { has: ['image'] })], options = {}) {
  const server = await fake(t, {
    exchanges, routes: {
      'GET /api/exchanges/*': (/** @type {any} */ _, /** @type {string} */ path) => {
        const s = exchanges.find((e) => path.endsWith(`/${e.number}`) || path.endsWith(`/${e.id}`));
        return s && detail(s, { client, gemini, answer: { text: 'I do not know', content: 'I do not know' } });
      },
      'GET /api/exchanges/*/conversation': talk, ...media, ...routes,
    },
  });
  const page = await visit(t, browser, `${server.url}/requests/${exchanges[0].id}?tab=conversation`, options);
  await page.getByRole('region', { name: 'Answer', exact: true }).waitFor();
  return { page, server };
}

const messages = (/** @type {Page} */ page) => page.getByRole('list', { name: 'Messages' }).locator('> li');

test('a request is shown as messages, with its answer below', async (t) => {
  const { page } = await open(t);
  assert.deepEqual(await messages(page).locator('h4').allInnerTexts(), ['System', 'User', 'Model']);
  const said = await page.getByRole('region', { name: 'Answer', exact: true }).innerText();
  assert.match(said, /I do not know \*\*Porto\*\*\.\nAnother city\?/); // Markdown stays as it was written
  assert.match(said, /Finish reason STOP · 1,200 tokens in, 300 out · 400 of the input from the cache · 80 of the output are thoughts/);
  assert.match(said, /print\(1 \+ 1\)/);
  assert.match(said, /The client sends the result with the next turn\./);
});

test('the conversation is the first part, and the key 1 opens it', async (t) => {
  const { page } = await open(t);
  assert.equal(await page.getByRole('tab').first().innerText(), 'Conversation');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('heading', { name: /POST/ }).focus();
  await page.keyboard.press('1');
  assert.equal(await page.getByRole('tab', { name: 'Conversation' }).getAttribute('aria-selected'), 'true');
  assert.match(page.url(), /tab=conversation/);
});

test('thoughts are folded', async (t) => {
  const { page } = await open(t);
  const thoughts = page.getByText('Let me think about timetables.');
  assert.ok(await thoughts.isHidden());
  await messages(page).getByText('Thoughts, 30 characters').click();
  assert.ok(await thoughts.isVisible());
});

test('a call stands next to its result, and a failed tool is marked', async (t) => {
  const { page } = await open(t);
  const [call, result] = [page.locator('.messages .call').first(), page.locator('.messages .result').first()];
  assert.match(await call.innerText(), /Call timetable/);
  assert.match(await call.innerText(), /12345678901234567890/); // not rounded
  assert.match(await result.innerText(), /failed/);
  assert.match(await result.innerText(), /no such station/);
  const [left, right] = [await call.boundingBox(), await result.boundingBox()];
  assert.ok(left && right && Math.abs(left.y - right.y) < 2 && right.x > left.x + left.width);
});

test('the raw JSON of a part opens on both sides, and a button leads back', async (t) => {
  const { page } = await open(t);
  await page.getByRole('button', { name: 'Raw JSON of: Result timetable' }).click();
  assert.equal(await page.getByRole('tab', { name: 'Request' }).getAttribute('aria-selected'), 'true');
  const panes = page.locator('.pane');
  assert.match(await panes.nth(0).locator('.selected').first().innerText(), /no such station/);
  assert.match((await panes.nth(1).locator('.selected').allInnerTexts()).join(''), /functionResponse/);
  await page.getByRole('button', { name: 'Back to the conversation' }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Raw JSON of: Result timetable');

  await page.getByRole('region', { name: 'Answer', exact: true }).getByRole('button', { name: 'Raw JSON of: Text' }).click();
  assert.equal(await page.getByRole('tab', { name: 'Response' }).getAttribute('aria-selected'), 'true');
});

test('pictures and sound are shown with their sizes, and nothing is loaded from elsewhere', async (t) => {
  const { page, server } = await open(t);
  /** @type {string[]} */
  const elsewhere = [];
  page.on('request', (request) => { if (!request.url().startsWith(server.url)) elsewhere.push(request.url()); });
  await page.getByText('image/png · 79.3 KB · 64 × 40').waitFor();
  assert.equal(await page.locator('img[src^="/api/media/"]').evaluate((/** @type {HTMLImageElement} */ image) => image.naturalWidth), 64);
  await page.getByText('audio/wav · 2 KB · 500 ms').waitFor();
  await page.getByText('Not loaded: https://files.example/secret.png').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href'), `/api/media/${hash('c')}`);
  assert.equal(await page.locator(`img[src*="${hash('d')}"]`).count(), 0); // SVG can carry script
  assert.deepEqual(elsewhere, []);
});

test('markup of a client or a model stays text', async (t) => {
  const { page } = await open(t);
  await messages(page).getByText('<script>window.owned=1</script>').waitFor();
  assert.equal(await page.locator('.talk script, .talk a[href^="javascript"], .talk img:not([src^="/api/media/"])').count(), 0);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).owned), undefined);
});

test('a hidden character in a message is shown as an escape', async (t) => {
  const trick = { ...talk, messages: [{ role: 'user', parts: [{ kind: 'text', text: 'open \u202Egnp.exe', gemini: null, client: null }] }] };
  const { page } = await open(t, { 'GET /api/exchanges/*/conversation': trick });
  assert.match(await messages(page).innerText(), /open \\u202Egnp\.exe/);
});

test('older messages of a long conversation are folded, and the way back finds them', async (t) => {
  const many = Array.from({ length: 40 }, (_, i) => ({ role: i % 2 ? 'model' : 'user', parts: [{ kind: 'text', text: `message ${i}`, gemini: `/contents/${i}/parts/0`, client: '/messages/1/content' }] }));
  const { page } = await open(t, { 'GET /api/exchanges/*/conversation': { ...talk, messages: [talk.messages[0], ...many] } });
  assert.equal(await messages(page).locator('.part').count(), 9);
  await page.getByRole('button', { name: 'Show 32 earlier messages' }).click();
  await page.getByText('message 3', { exact: true }).waitFor();
  await messages(page).filter({ hasText: /message 3(?!\d)/ }).getByRole('button', { name: 'Raw JSON' }).click();
  await page.getByRole('button', { name: 'Back to the conversation' }).click();
  const link = messages(page).filter({ hasText: /message 3(?!\d)/ }).getByRole('button', { name: 'Raw JSON' });
  await link.waitFor();
  assert.ok(await link.evaluate((e) => e === document.activeElement));
});

test('of a very long conversation a hundred messages are drawn at a click', async (t) => {
  const many = Array.from({ length: 308 }, (_, i) => ({ role: 'user', parts: [{ kind: 'text', text: `message ${i}`, gemini: null, client: null }] }));
  const { page } = await open(t, { 'GET /api/exchanges/*/conversation': { ...talk, messages: many } });
  await page.getByRole('button', { name: 'Show 100 of 300 earlier messages' }).click();
  await page.getByText('message 200', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show 100 of 200 earlier messages' }).click();
  await page.getByRole('button', { name: 'Show 100 earlier messages' }).click();
  await page.getByText('message 0', { exact: true }).waitFor();
  assert.equal(await messages(page).count(), 308);
});

test('a long text is shown whole at a click', async (t) => {
  const long = { ...talk, messages: [{ role: 'user', parts: [{ kind: 'text', text: `${'x'.repeat(20_000)} the end`, gemini: null, client: null }] }] };
  const { page } = await open(t, { 'GET /api/exchanges/*/conversation': long });
  assert.equal(await page.getByText('the end').count(), 0);
  await page.getByRole('button', { name: 'Show 14,008 more characters' }).click();
  await page.getByText('the end').waitFor();
});

test('the answer of a stream stands put together above its chunks', async (t) => {
  const s = summary(1, { stream: true });
  const of = detail(s, { client, gemini });
  const chunks = [{ at: 400, size: 40, data: '{"candidates":[{"content":{"parts":[{"text":"I do "}]}}]}' }, { at: 500, size: 40, data: '{"candidates":[{"content":{"parts":[{"text":"not know"}]}}]}' }];
  of.tries[0].chunks = /** @type {any} */ (chunks);
  const answer = [{ role: 'model', parts: [{ kind: 'text', text: 'I do not know', gemini: '/1/candidates/0/content/parts/0', client: null }] }];
  const server = await fake(t, { exchanges: [s], routes: { 'GET /api/exchanges/*': of, 'GET /api/exchanges/*/conversation': { ...talk, answer } } });
  const page = await visit(t, browser, `${server.url}/requests/req_1?tab=response`);
  const whole = page.getByRole('region', { name: 'Answer', exact: true });
  await whole.getByText('I do not know').waitFor();
  await whole.getByRole('button', { name: 'Raw JSON of: Text' }).click();
  assert.match((await page.locator('.pane .selected').allInnerTexts()).join(''), /not know/);
  const [above, below] = [await whole.boundingBox(), await page.locator('.pane').first().boundingBox()];
  assert.ok(above && below && above.y < below.y && below.height > 100);
});

const turns = [1, 2, 3].map((n) => summary(n, { conversation: 'conv_1', turn: n }));
const conversation = {
  id: 'conv_1', exchanges: turns.map((s) => ({ number: s.number, id: s.id, at: s.at, status: s.number === 2 ? 429 : 200, tokens: s.tokens, cost: s.cost, model: s.upstreamModel })),
  signatures: [
    { hash: 'a3f90c1d22', size: 1400, steps: [{ number: 1, side: 'upstream', pointer: '/candidates/0/content/parts/0', carrier: 'extension' }, { number: 2, side: 'client', pointer: '/contents/1/parts/0', carrier: 'extension' }] },
    { hash: 'b4e81d2e33', size: 900, steps: [{ number: 1, side: 'upstream', pointer: '/candidates/0/content/parts/1', carrier: 'extension' }] },
    { hash: 'c5d72e3f44', size: 800, steps: [{ number: 3, side: 'upstream', pointer: '/candidates/0/content/parts/0', carrier: 'id' }] },
  ],
};

test('the requests of one conversation are a strip of turns that lead to each other', async (t) => {
  const { page } = await open(t, { 'GET /api/conversations/conv_1': conversation }, turns);
  const strip = page.getByRole('navigation', { name: 'Requests of this conversation' });
  await strip.getByText('Turn 1 of 3 of this conversation').waitFor();
  assert.equal(await strip.getByRole('listitem').count(), 3);
  assert.equal(await strip.getByRole('link', { name: /^Turn 1 200/ }).getAttribute('aria-current'), 'true');
  await strip.getByRole('link', { name: 'Next turn' }).click();
  await strip.getByText('Turn 2 of 3 of this conversation').waitFor();
  assert.match(page.url(), /\/requests\/.*tab=conversation/);
  await strip.getByRole('link', { name: /^Turn 3 200/ }).click();
  await strip.getByText('Turn 3 of 3 of this conversation').waitFor();
  await page.goBack();
  await strip.getByText('Turn 2 of 3 of this conversation').waitFor();
});

test('a signature is followed from turn to turn', async (t) => {
  const { page } = await open(t, { 'GET /api/conversations/conv_1': conversation }, turns);
  await page.getByRole('tab', { name: 'Signatures' }).click();
  const rows = page.getByRole('region', { name: 'From turn to turn' }).locator('tbody tr');
  await rows.nth(2).waitFor();
  assert.match(await rows.nth(0).innerText(), /a3f90c1d[\s\S]*Turn 1 from Gemini extension\s+Turn 2 from the client extension[\s\S]*yes/);
  assert.match(await rows.nth(1).innerText(), /b4e81d2e[\s\S]*no$/);
  assert.match(await rows.nth(2).innerText(), /no turn after it yet/);
  await rows.nth(0).getByRole('link', { name: 'Turn 2 from the client' }).click();
  await page.waitForURL(/\/requests\/(2|req_2)\?tab=signatures/);
});

test('a conversation that cannot be read says why, and is asked for again', async (t) => {
  let times = 0;
  const server = await fake(t, {
    exchanges: [summary(1)], routes: {
      'GET /api/exchanges/*': detail(summary(1), { client, gemini }),
      'GET /api/exchanges/*/conversation': () => (++times === 1 ? answer({ status: 500, body: { error: 'the inspector made a mistake' } }) : talk),
    },
  });
  const page = await visit(t, browser, `${server.url}/requests/req_1?tab=conversation`);
  await page.getByRole('alert').getByText('the inspector made a mistake').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await messages(page).first().waitFor();
});

test('without bodies the conversation says how to record them', async (t) => {
  const s = summary(1, { bodies: false });
  const server = await fake(t, { exchanges: [s], routes: { 'GET /api/exchanges/*': detail(s) } });
  const page = await visit(t, browser, `${server.url}/requests/req_1?tab=conversation`);
  await page.getByText('Bodies were not being recorded. Turn on “Record bodies” and send it again.').waitFor();
});

for (const forcedColors of /** @type {const} */ (['none', 'active'])) {
  test(`axe finds nothing in the conversation, in light, in dark and at 400 px, with forced colours ${forcedColors}`, async (t) => {
    const { page } = await open(t, { 'GET /api/conversations/conv_1': conversation }, turns, { forcedColors });
    await page.getByText('64 × 40').waitFor();
    await isFine(page, 'conversation', forcedColors);
  });
}

test('at 400 px the conversation works by keyboard alone', async (t) => {
  const { page } = await open(t, {}, undefined, { viewport: { width: 400, height: 800 } });
  await page.getByRole('tab', { name: 'Conversation' }).focus();
  const seen = [];
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent));
    if (seen.at(-1) === 'Raw JSON of: Text') break;
  }
  assert.equal(seen.at(-1), 'Raw JSON of: Text', seen.join(' | '));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back to the conversation' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Raw JSON of: Text');
});
