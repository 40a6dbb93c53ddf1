// What others try with the page: names that lead to this machine, forms and scripts of other sites, script in texts.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, open } from './browser.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
// The browser is told that these names are this machine, as a name server of an attacker would say.
before(async () => { browser = await launch('--host-resolver-rules=MAP *.example 127.0.0.1'); });
after(() => browser.close());

/**
 * Serves the page of another site, on another port of this machine.
 * @param {import('node:test').TestContext} t
 * @param {string} html
 * @returns {Promise<number>} its port
 */
function serveSite(t, html) {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(address && typeof address === 'object' ? address.port : 0);
  }));
}

test('DNS rebinding: a name of another site that leads here gets nothing', async (t) => {
  const { stage, context } = await open(t, browser);
  await stage.play('lossy');
  const port = new URL(stage.url).port;
  const rebound = await context.newPage();
  const answer = await rebound.goto(`http://rebound.example:${port}/`);
  assert.equal(answer?.status(), 421);
  // Scripts of that page are of the same origin as what they ask for, so that no other rule of the browser stops them.
  for (const path of ['/api/events', '/api/exchanges/1', '/api/har', '/main.js', '/?token=x']) {
    assert.equal(await rebound.evaluate(async (path) => (await fetch(path)).status, path), 421, path);
  }
  assert.equal(await rebound.evaluate(async () => (await fetch('/api/clear', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}',
  })).status), 421);
  const link = new URL(await stage.link());
  link.hostname = 'rebound.example';
  assert.equal((await rebound.goto(link.href))?.status(), 421);
});

test('CSRF: forms and scripts of other sites change nothing and read nothing', async (t) => {
  const { page, stage, context } = await open(t, browser);
  await stage.play('lossy');
  await page.locator('.spacer .row').waitFor();
  const port = await serveSite(t, '<!doctype html><title>another site</title>');
  // Another port of the same host is the same site: the cookie goes along. Another name is not.
  for (const origin of [`http://127.0.0.1:${port}`, `http://attacker.example:${port}`]) {
    const other = await context.newPage();
    await other.goto(origin);
    const results = await other.evaluate(async (url) => {
      /** @param {string} path @param {RequestInit} init */
      const ask = (path, init) => fetch(url + path, init).then((answer) => `${answer.type} ${answer.status}`, () => 'refused');
      return {
        simple: await ask('/api/clear', { method: 'POST', body: '{}', mode: 'no-cors', credentials: 'include', headers: { 'Content-Type': 'text/plain' } }),
        json: await ask('/api/clear', { method: 'POST', body: '{}', credentials: 'include', headers: { 'Content-Type': 'application/json' } }),
        read: await ask('/api/exchanges/1', { credentials: 'include' }),
        events: await new Promise((resolve) => {
          const source = new EventSource(`${url}/api/events`, { withCredentials: true });
          source.onmessage = () => resolve('read');
          source.onerror = () => { source.close(); resolve('refused'); };
        }),
        script: await new Promise((resolve) => {
          const script = document.createElement('script');
          script.src = `${url}/api/exchanges/1`;
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('refused');
          document.body.append(script);
        }),
        frame: await new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.src = url;
          frame.onload = () => setTimeout(() => resolve(frame.contentDocument === null ? 'another origin' : 'readable'), 100);
          document.body.append(frame);
        }),
      };
    }, stage.url);
    assert.deepEqual(results, { simple: 'refused', json: 'refused', read: 'refused', events: 'refused', script: 'refused', frame: 'another origin' }, origin);
    assert.equal(await other.frames()[1].locator('#main').count(), 0, 'the page is not shown in a frame');
    await other.setContent(`<form method="post" enctype="text/plain" action="${stage.url}/api/clear"><input name='{"a":"' value='"}'></form>`);
    const [answer] = await Promise.all([
      other.waitForResponse((response) => response.url().endsWith('/api/clear')),
      other.evaluate(() => document.forms[0].submit()),
    ]);
    assert.ok([403, 415].includes(answer.status()), `a form: ${answer.status()}`);
  }
  assert.equal(await page.locator('.spacer .row').count(), 1);
  await page.locator('.spacer .row').click();
  await page.getByText('4 fields of this request were not sent to Gemini.').waitFor();
});

test('XSS: script in texts of models and clients is text', async (t) => {
  const { page, stage } = await open(t, browser);
  /** @type {string[]} */
  const violations = [];
  page.on('console', (message) => { if (/Content Security Policy|trusted/i.test(message.text())) violations.push(message.text()); });
  await page.locator(await stage.play('hostile')).click();
  await page.getByText('1 field of this request was not sent to Gemini.').waitFor();
  await page.locator('.finding').first().click();
  for (const tab of ['Request', 'Response', 'Timeline', 'Signatures']) await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('button', { name: 'response, 200' }).first().click();
  await page.getByRole('button', { name: 'Replay…' }).click();
  await page.getByRole('dialog').waitFor();
  assert.ok((await page.locator('.chosen').innerText()).includes('onerror='), 'the text is shown');
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).owned), undefined);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('body img, body script, #detail svg, #list svg, a[href^="javascript"]')].map((e) => e.outerHTML)),
    ['<img src="/icon.svg" alt="" width="18" height="18">']);
  assert.deepEqual(violations, []);
});

test('the policy stops what a mistake in the page would let through', async (t) => {
  const { page } = await open(t, browser);
  const outcome = await page.evaluate(() => {
    /** @param {() => void} run */
    const tried = (run) => {
      try {
        run();
        return 'done';
      } catch (error) {
        return /** @type {Error} */ (error).name;
      }
    };
    return {
      innerHTML: tried(() => { document.createElement('div').innerHTML = '<b>x</b>'; }),
      policy: tried(() => { /** @type {any} */ (window).trustedTypes.createPolicy('mine', {}); }),
      script: tried(() => { document.createElement('script').text = 'window.owned = 1'; }),
    };
  });
  assert.deepEqual(outcome, { innerHTML: 'TypeError', policy: 'TypeError', script: 'TypeError' });
  assert.equal(await page.evaluate(() => document.cookie), '');
});

test('the address that opens the page works once, and does not stay in the bar', async (t) => {
  const { page, stage } = await open(t, browser);
  assert.equal(page.url(), `${stage.url}/`);
  const link = await stage.link();
  for (const [status, text] of /** @type {[number, string][]} */ ([[200, 'Live'], [401, 'This link has expired']])) {
    const other = await browser.newContext();
    t.after(() => other.close());
    const visitor = await other.newPage();
    assert.equal((await visitor.goto(link))?.status(), status);
    await visitor.getByText(text).first().waitFor();
  }
});

test('a link on another site opens the page, although its cookie is for this site only', async (t) => {
  const { stage } = await open(t, browser);
  const link = await stage.link();
  const port = await serveSite(t, `<!doctype html><a href="${link}">open</a>`);
  const other = await browser.newContext();
  t.after(() => other.close());
  const visitor = await other.newPage();
  await visitor.goto(`http://chat.example:${port}/`);
  await visitor.getByRole('link', { name: 'open' }).click();
  await visitor.getByText('Live').waitFor();
});
