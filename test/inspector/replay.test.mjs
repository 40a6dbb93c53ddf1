// Sending requests again, comparing their answers, and sessions as files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isFine } from './axe.mjs';
import { launch } from './browser.mjs';
import { answer, detail, fake, summary, visit } from './fake.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const client = { model: 'gpt-4o', temperature: 0.2, messages: [{ role: 'user', content: 'When does the last train leave?' }] };

/** Opens a request. @param {import('node:test').TestContext} t @param {Record<string, unknown>} [routes] @param {ReturnType<typeof summary>[]} [exchanges] @param {import('playwright-core').BrowserContextOptions} [options] */
async function open(t, routes = {}, exchanges = [summary(1)], options = {}) {
  /** @type {Awaited<ReturnType<typeof fake>>} */
  const server = await fake(t, {
    exchanges, routes: {
      'GET /api/exchanges/*': (/** @type {any} */ _, /** @type {string} */ path) => {
        const number = Number(/(\d+)$/.exec(path)?.[1]);
        return detail(server.exchanges.get(number) ?? summary(number), { client });
      },
      'GET /api/exchanges/*/conversation': { messages: [], answer: [], usage: null, finish: '', note: '' },
      'POST /api/exchanges/1/replay': () => {
        server.tell(summary(2, { replayOf: 1, running: true, status: 0 }));
        return { number: 2, id: 'req_2' };
      },
      ...routes,
    },
  });
  const page = await visit(t, browser, `${server.url}/requests/req_1`, options);
  await page.getByRole('button', { name: 'Replay…' }).waitFor();
  return { page, server };
}

/** @param {Page} page */
async function openDialog(page) {
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  await dialog.waitFor();
  return dialog;
}

test('a replay goes to another model and account, and opens at once', async (t) => {
  const { page, server } = await open(t);
  const dialog = await openDialog(page);
  await page.locator('#replay-models option[value="gemini-3.6-pro"]').waitFor({ state: 'attached' });
  await dialog.getByLabel('Model').fill('gemini-3.6-pro');
  await dialog.getByLabel('Account').selectOption('spare');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForURL(/\/requests\/(2|req_2)/);
  await page.locator('#detail h2').getByText('running').waitFor();
  assert.deepEqual(server.posted.at(-1), { path: '/api/exchanges/1/replay', body: { model: 'gemini-3.6-pro', account: 'spare' } });
});

test('an untouched replay changes nothing', async (t) => {
  const { page, server } = await open(t);
  const dialog = await openDialog(page);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForURL(/\/requests\/(2|req_2)/);
  assert.deepEqual(server.posted.at(-1)?.body, {});
});

test('the body is checked while it is edited, and the place of an error is shown', async (t) => {
  const { page, server } = await open(t);
  const dialog = await openDialog(page);
  await dialog.getByText(/^Valid JSON, \d+ B\./).waitFor();
  const body = dialog.getByLabel('Body of the request');
  const text = await body.inputValue();
  await body.fill(text.replace('0.2,', '0.2'));
  await dialog.getByText('Not JSON at line 4, column 3: expected a comma or }.').waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal(server.posted.length, 0);
  const at = await body.evaluate((/** @type {HTMLTextAreaElement} */ area) => area.value.slice(area.selectionStart, area.selectionEnd));
  assert.equal(at, '"');
  await body.fill(text.replace('0.2', '0.9'));
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForURL(/\/requests\/(2|req_2)/);
  assert.equal(JSON.parse(server.posted.at(-1)?.body.body).temperature, 0.9);
});

test('a body with a part that was not recorded is not sent', async (t) => {
  const cut = { ...client, messages: [{ role: 'user', content: 'abc…[gemwire left out 12 KB]' }] };
  const { page, server } = await open(t, { 'GET /api/exchanges/*': detail(summary(1), { client: cut }) });
  const dialog = await openDialog(page);
  await dialog.getByText('Replace “[gemwire left out …]” with the full value before sending.').waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal(server.posted.length, 0);
});

test('headers are changed, added and removed', async (t) => {
  const { page, server } = await open(t);
  const dialog = await openDialog(page);
  await dialog.getByText('Headers (2)').click(); // host belongs to the connection
  await dialog.getByLabel('Value of x-team').fill('travel');
  await dialog.getByRole('button', { name: 'Remove user-agent' }).click();
  await dialog.getByRole('button', { name: 'Add a header' }).click();
  await dialog.getByLabel('Name of the header').last().fill('X-Gemwire-Strict');
  await dialog.getByLabel('Value of the header').fill('true');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.waitForURL(/\/requests\/(2|req_2)/);
  assert.deepEqual(server.posted.at(-1)?.body, { header: { 'user-agent': '', 'x-team': 'travel', 'X-Gemwire-Strict': 'true' } });
});

test('Escape asks before it discards edits, and closes an untouched dialog', async (t) => {
  const { page } = await open(t);
  let dialog = await openDialog(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  dialog = await openDialog(page);
  const body = dialog.getByLabel('Body of the request');
  await body.fill('{"mine": true}');
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard your edits?').waitFor();
  await page.keyboard.press('Escape'); // a second one keeps them too
  assert.equal(await body.inputValue(), '{"mine": true}');
  assert.ok(await body.evaluate((e) => e === document.activeElement));
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a replay that is refused says why, and keeps the edits', async (t) => {
  const { page } = await open(t, { 'POST /api/exchanges/1/replay': answer({ status: 429, body: { error: 'too many replays are running; try again later' } }) });
  const dialog = await openDialog(page);
  await dialog.getByLabel('Body of the request').fill('{"mine": true}');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByText('too many replays are running; try again later').waitFor();
  assert.equal(await dialog.getByLabel('Body of the request').inputValue(), '{"mine": true}');
});

const tokens = (/** @type {number} */ output) => ({ input: 1200, output, thinking: 0, cached: 0, total: 1200 + output, estimated: false });
const compared = {
  sides: [
    {
      number: 1, model: 'gemini-3.6-flash', text: 'The last train leaves at 23:40.', calls: [{ name: 'timetable', args: { from: 'Porto' } }, { name: 'same', args: {} }],
      tokens: tokens(100), cost: { amount: 0.002, currency: 'USD', source: '' }, duration: 1000, firstToken: 400, losses: 2, finish: 'stop', status: 200, error: '',
    },
    {
      number: 2, model: 'gemini-3.6-pro', text: 'The last train leaves at 23:55 <b>sharp</b>.', calls: [{ name: 'timetable', args: { from: 'Braga' } }, { name: 'same', args: {} }, { name: 'more', args: {} }],
      tokens: tokens(250), cost: { amount: 0.006, currency: 'USD', source: '' }, duration: 2500, firstToken: 300, losses: 2, finish: 'stop', status: 200, error: '',
    },
  ],
  text: [
    { op: 'same', text: 'The last train leaves at ' }, { op: 'left', text: '23:40' }, { op: 'right', text: '23:55 <b>sharp</b>' }, { op: 'same', text: '.' },
  ],
  calls: [{ left: 0, right: 0, same: false }, { left: 1, right: 1, same: true }, { left: -1, right: 2, same: false }],
};

test('Replay and compare waits for the answer, and shows both side by side', async (t) => {
  const { page, server } = await open(t, { 'GET /api/compare/1/2': compared });
  const dialog = await openDialog(page);
  await dialog.getByLabel('Model').fill('gemini-3.6-pro');
  await dialog.getByRole('button', { name: 'Replay and compare' }).click();
  await page.getByText('Waiting for the answer of #2…').waitFor();
  assert.match(page.url(), /\/compare\/1\/2$/);
  server.tell(summary(2, { replayOf: 1 }));
  const numbers = page.getByRole('region', { name: 'Numbers of both requests' });
  await numbers.waitFor();
  assert.match(await numbers.getByRole('row', { name: /^Duration/ }).innerText(), /1\.00 s\s+2\.50 s\s+\+1\.50 s \(2\.5 ×\)/);
  assert.match(await numbers.getByRole('row', { name: /^Time to first token/ }).innerText(), /−100 ms \(−25 %\)/);
  assert.match(await numbers.getByRole('row', { name: /^Cost/ }).innerText(), /\$0\.00200\s+\$0\.00600\s+\+\$0\.00400 \(3\.0 ×\)/);
  assert.match(await numbers.getByRole('row', { name: /^Lost fields/ }).innerText(), /same/);
  assert.equal(await page.locator('.side del').innerText(), '23:40');
  assert.equal(await page.locator('.side ins').innerText(), '23:55 <b>sharp</b>');
  assert.deepEqual(await page.getByRole('region', { name: 'Calls' }).locator('li > .badge').allInnerTexts(), ['different', 'same call', 'different']);
  await page.getByRole('region', { name: 'Calls' }).getByText('No such call.').waitFor();
});

test('a replay leads to the comparison with its original, which has an address of its own', async (t) => {
  const { page, server } = await open(t, { 'GET /api/compare/1/2': compared }, [summary(1), summary(2, { replayOf: 1 })]);
  await page.goto(`${server.url}/requests/req_2`);
  await page.getByRole('link', { name: 'Compare with #1' }).click();
  await page.locator('.side del').waitFor();
  await page.reload();
  await page.locator('.side del').waitFor();
  await page.locator('#compare h2').getByRole('link', { name: '#2' }).click();
  await page.waitForURL(/\/requests\//);
});

test('any two requests of the list are compared, and replays are offered first', async (t) => {
  const { page } = await open(t, { 'GET /api/compare/1/2': compared }, [summary(1), summary(2, { replayOf: 1 }), summary(3), summary(4, { running: true, status: 0 })]);
  await page.getByRole('button', { name: 'Compare…' }).click();
  const rows = page.getByRole('dialog', { name: 'Compare #1 with' }).locator('tbody tr');
  assert.deepEqual(await rows.locator('td:first-child').allInnerTexts(), ['#2 (replay)', '#3']);
  await rows.first().getByRole('link').click();
  await page.locator('.side del').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
});

/** Presses Tab until an element has the focus. @param {Page} page @param {import('playwright-core').Locator} wanted @param {string} [key] */
async function tabTo(page, wanted, key = 'Tab') {
  await wanted.waitFor();
  for (let i = 0; i < 80; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${wanted}`);
}

const phone = { viewport: { width: 400, height: 800 } };

test('at 400 px a replay is edited, sent and compared by keyboard, and everything is in view', async (t) => {
  const { page, server } = await open(t, { 'GET /api/compare/1/2': compared }, [summary(1)], phone);
  await tabTo(page, page.getByRole('button', { name: 'Replay…' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Replay' });
  const body = dialog.getByLabel('Body of the request');
  await tabTo(page, body);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('{"mine": true}');
  await tabTo(page, dialog.getByLabel('Model'), 'Shift+Tab');
  await page.keyboard.insertText('gemini-3.6-pro');
  const both = dialog.getByRole('button', { name: 'Replay and compare' });
  await tabTo(page, both);
  const box = await both.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 400 && box.y + box.height <= 800, `the button is at ${JSON.stringify(box)}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/compare\/1\/2$/);
  assert.deepEqual(server.posted.at(-1)?.body, { model: 'gemini-3.6-pro', body: '{"mine": true}' });
  server.tell(summary(2, { replayOf: 1 }));
  await page.locator('.side del').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 400), 'the page is not wider than the window');
  await tabTo(page, page.locator('#compare h2').getByRole('link', { name: '#2' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/requests\//);
});

test('at 400 px a request to compare with is chosen by keyboard, and Escape leads back', async (t) => {
  const { page } = await open(t, { 'GET /api/compare/1/2': compared }, [summary(1), summary(2, { replayOf: 1 }), summary(3)], phone);
  const button = page.getByRole('button', { name: 'Compare…' });
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Compare #1 with' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await dialog.count(), 0);
  assert.ok(await button.evaluate((element) => element === document.activeElement), 'the button has the focus again');
  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('link', { name: '#2 (replay)' }));
  await page.keyboard.press('Enter');
  await page.locator('.side del').waitFor();
});

test('a comparison with a dropped request says so', async (t) => {
  const { page, server } = await open(t);
  await page.goto(`${server.url}/compare/1/77`);
  await page.getByRole('alert').getByText('this exchange was dropped').waitFor();
});

test('many requests of the filter go to another model, and a table shows their outcomes', async (t) => {
  const exchanges = [1, 2, 3, 4].map((n) => summary(n, n === 2 ? { client: 'travel-app' } : {}));
  const { page, server } = await open(t, {
    'POST /api/replays': (/** @type {any} */ body) => ({
      started: body.numbers.map((/** @type {number} */ of, /** @type {number} */ i) => ({ of, number: 10 + i })), failed: [{ of: 2, error: 'the request has no model that can be replaced' }],
    }),
  }, exchanges);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Replay many…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay many requests' });
  await dialog.getByText('4 of 4 chosen; together they cost $0.00840.').waitFor();
  await dialog.getByLabel('Request 2', { exact: true }).uncheck();
  await dialog.getByLabel('Model').fill('gemini-3.6-pro');
  await dialog.getByRole('button', { name: 'Send 3 requests' }).click();
  await dialog.getByText('0 of 3 answered, 0 failed.').waitFor();
  assert.deepEqual(server.posted.at(-1), { path: '/api/replays', body: { numbers: [1, 3, 4], model: 'gemini-3.6-pro', account: '' } });
  server.tell(summary(10, { replayOf: 1, upstreamModel: 'gemini-3.6-pro', duration: 3000 }), summary(11, { replayOf: 3, status: 429, error: { type: 'rate', code: '429', message: 'no room' } }));
  await dialog.getByText('2 of 3 answered, 1 failed. They cost $0.00420, before $0.00420.').waitFor();
  const rows = dialog.getByRole('region', { name: 'Outcomes' }).locator('tbody tr');
  assert.match(await rows.nth(0).innerText(), /#1\s+#10\s+gemini-3\.6-pro\s+200\s+3\.00 s\s+1\.24 s/);
  assert.match(await rows.nth(1).innerText(), /#3\s+#11[\s\S]*429/);
  assert.match(await rows.nth(2).innerText(), /waiting/);
  await dialog.getByText('#2: the request has no model that can be replaced').waitFor();
  assert.equal(await rows.nth(0).getByRole('link', { name: 'Compare' }).getAttribute('href'), '/compare/1/10');
});

test('a filter without recorded bodies offers nothing to send', async (t) => {
  const server = await fake(t, { exchanges: [summary(1, { bodies: false })] });
  const page = await visit(t, browser, server.url);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Replay many…' }).click();
  await page.getByText('The filter finds no request whose body was recorded.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send 0 requests' }).isDisabled());
});

test('a session is exported as a file and imported again', async (t) => {
  const session = { format: 'gemwire-inspector/1', exchanges: [{ number: 1 }] };
  const { page, server } = await open(t, {
    'GET /api/session': answer({ body: session, header: { 'Content-Disposition': 'attachment; filename="gemwire-session.json"' } }),
    'POST /api/session': { numbers: [2] },
  });
  await page.getByRole('button', { name: 'Menu' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export session' }).click()]);
  assert.deepEqual(JSON.parse(readFileSync(await download.path(), 'utf8')), session);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import session…' }).click()]);
  await chooser.setFiles(await download.path());
  await page.locator('.notice').getByText('Imported 1 request.').waitFor();
  assert.deepEqual(server.posted.at(-1), { path: '/api/session', body: session });
});

test('a file that is not a session is refused, and says why', async (t) => {
  const { page, server } = await open(t, { 'POST /api/session': answer({ status: 400, body: { error: 'this is not a session of the inspector' } }) });
  await page.getByRole('button', { name: 'Menu' }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import session…' }).click()]);
  await chooser.setFiles({ name: 'session.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await page.locator('.notice').getByText('this is not a session of the inspector').waitFor();
  assert.equal(server.posted.length, 1);
  await page.getByRole('dialog', { name: 'Inspector' }).waitFor();
});

for (const forcedColors of /** @type {const} */ (['none', 'active'])) {
  test(`axe finds nothing in replays and comparisons, in light, in dark and at 400 px, with forced colours ${forcedColors}`, async (t) => {
    const { page, server } = await open(t, { 'GET /api/compare/1/2': compared }, [summary(1), summary(2)], { forcedColors });
    const dialog = await openDialog(page);
    await dialog.getByText('Headers (2)').click();
    await dialog.getByLabel('Body of the request').fill('{"mine": }');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard your edits?').waitFor();
    await isFine(page, 'replay-edited', forcedColors);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Replay many…' }).click();
    await isFine(page, 'replay-many', forcedColors);
    await page.goto(`${server.url}/compare/1/2`);
    await page.locator('.side ins').waitFor();
    await isFine(page, 'compare', forcedColors);
  });
}

test('a gateway that cannot replay says why, and disables the menu', async (t) => {
  const why = 'Unavailable: the gateway asks for a client key, and the inspector does not keep keys.';
  const exchanges = [summary(1)];
  const server = await fake(t, {
    exchanges, changes: { noReplay: why },
    routes: { 'GET /api/exchanges/*': detail(exchanges[0], { client, over: { canReplay: false, notes: { replay: why } } }) },
  });
  const page = await visit(t, browser, `${server.url}/requests/req_1`);
  await page.getByText('Replay is unavailable: the gateway asks for a client key').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Replay…' }).isDisabled());
  await page.getByRole('button', { name: 'Menu' }).click();
  assert.ok(await page.getByRole('button', { name: 'Replay many…' }).isDisabled());
  await page.getByText('Replay many is unavailable: the gateway asks for a client key').waitFor();
});

test('a replay to the fake server costs nothing', async (t) => {
  const { page } = await open(t, {
    'GET /api/exchanges/*': detail(summary(1), { client, over: { attempts: [{ number: 1, account: 'embedded', model: 'm', at: 2, duration: 12, status: 200, error: '', wait: 0 }] } }),
  });
  await page.getByRole('button', { name: 'Replay…' }).click();
  await page.getByText('The built-in fake server answers, so it costs nothing.').waitFor();
  assert.equal(await page.getByText('is billed').count(), 0);
});

test('a comparison with an error keeps the difference in view, and compares no missing values', async (t) => {
  const [left, right] = compared.sides;
  const failed = { ...right, firstToken: 0, cost: null, status: 500, error: `${'The upstream failed for a reason that is long. '.repeat(20)}${'x'.repeat(400)}` };
  const { page, server } = await open(t, { 'GET /api/compare/1/2': { ...compared, sides: [{ ...left, cost: null }, failed] } }, [summary(1), summary(2, { replayOf: 1 })]);
  await page.goto(`${server.url}/compare/1/2`);
  const row = (/** @type {string} */ name) => page.locator('.numbers tr', { has: page.getByRole('rowheader', { name, exact: true }) }).locator('td');
  await row('Cost').first().waitFor();
  assert.deepEqual(await row('Time to first token').allInnerTexts(), ['400 ms', '–', 'only one']);
  assert.deepEqual(await row('Cost').allInnerTexts(), ['–', '–', '']);
  const scroller = page.getByRole('region', { name: 'Numbers of both requests' });
  assert.ok(await scroller.evaluate((e) => e.scrollWidth <= e.clientWidth + 1), 'the table does not scroll sideways');
});
