// The documentation site in a browser, opened from its folder: what axe finds on each page, that
// nothing is wider than the screen, and that search, copy buttons, themes and keyboard work.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const site = process.env.GEMWIRE_SITE ?? fileURLToPath(new URL('../../site', import.meta.url));
const screenshots = fileURLToPath(new URL('screenshots', import.meta.url));
mkdirSync(screenshots, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html')).sort();

/** @param {string} name */
const address = (name) => pathToFileURL(join(site, name)).href;

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--disable-lcd-text', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
});
after(() => browser.close());

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * Opens a page. An error of its scripts, or a request to another server, fails the test.
 * @param {import('node:test').TestContext} t
 * @param {string} name
 * @param {{ size?: keyof typeof sizes, colorScheme?: 'light' | 'dark' }} [options]
 */
async function open(t, name, { size = 'wide', colorScheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => { if (!request.url().startsWith('file:')) faults.push(request.url()); });
  page.on('requestfailed', (request) => { // a navigation aborts requests
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()} failed`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(address(name));
  return page;
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ['violations'], preload: false }));
  return found.violations.map((/** @type {any} */ v) => `${v.impact} ${v.id}: ${v.nodes.map((/** @type {any} */ n) => n.html).slice(0, 3).join(' ')}`);
}

/** @param {import('playwright-core').Page} page */
const excess = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('there are pages', () => assert.ok(names.length > 30, String(names.length)));

const shown = ['index.html', 'clients/claude-code.html', 'reference/settings.html', 'request.html', 'testing.html'];

// All pages have the same layout, so that each of them is checked in two combinations of theme and
// size, and these five in all of them.
for (const [size, colorScheme, checked] of /** @type {[keyof typeof sizes, 'light' | 'dark', string[]][]} */ ([
  ['wide', 'light', names], ['wide', 'dark', shown], ['phone', 'light', shown], ['phone', 'dark', names],
])) {
  test(`axe finds nothing, and no page is too wide: ${size}, ${colorScheme}`, async (t) => {
    const page = await open(t, 'index.html', { size, colorScheme });
    for (const name of checked) {
      await page.goto(address(name));
      assert.deepEqual(await violations(page), [], name);
      assert.ok(await excess(page) <= 0, `${name} is ${await excess(page)} px too wide`);
      if (shown.includes(name)) {
        await page.screenshot({ path: join(screenshots, `${name.replaceAll('/', '-').replace('.html', '')}-${size}-${colorScheme}.png`) });
      }
    }
  });
}

// What a newcomer asks, and the page that answers.
for (const [question, page, words] of [
  ['how do I use this with Claude Code', /clients\/claude-code\.html/, 'gemwire launch claude'],
  ['x-gemwire-losses', /\.html/, 'x-gemwire-losses'],
]) {
  test(`the search answers: ${question}`, async (t) => {
    const start = await open(t, 'index.html');
    await start.keyboard.press('/');
    await start.keyboard.type(String(question));
    await start.locator('#site-results [role=option]').first().waitFor();
    assert.deepEqual(await violations(start), []);
    await start.screenshot({ path: join(screenshots, `search-${String(question).replaceAll(/\W+/g, '-')}.png`) });
    await start.keyboard.press('Enter');
    await start.waitForURL(page);
    assert.ok((await start.locator('main').innerText()).includes(String(words)));
  });
}

test('the search says when it finds nothing, and Escape closes it', async (t) => {
  const page = await open(t, 'index.html');
  await page.getByRole('combobox').fill('zebrafish');
  await page.getByText('Nothing found. Try fewer words.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#site-results').isVisible(), false);
});

test('the arrows choose a result', async (t) => {
  const page = await open(t, 'clients/codex.html');
  await page.getByRole('combobox').fill('max_body_size');
  await page.locator('#result1').waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#result1').getAttribute('aria-selected'), 'true');
  assert.equal(await page.getByRole('combobox').getAttribute('aria-activedescendant'), 'result1');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('#site-results [role=option]').last().getAttribute('aria-selected'), 'true');
});

test('a copy button gives the commands of a console block without prompts and output', async (t) => {
  const page = await open(t, 'command.html');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (/** @type {string} */ text) => { document.title = text; } } });
  });
  const block = page.locator('.code', { has: page.locator('.output') }).first();
  await block.hover();
  await block.getByRole('button').click();
  await block.getByText('Copied').waitFor();
  const copied = await page.title();
  assert.match(copied, /^gemwire generate /);
  assert.doesNotMatch(copied, /no API key/);
});

test('the button changes the theme, and the next page keeps it', async (t) => {
  const page = await open(t, 'index.html', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  const button = page.getByRole('button', { name: /^Theme/ });
  await button.click();
  await button.click();
  assert.equal(await button.getAttribute('aria-label'), 'Theme: dark');
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.goto(address('clients/codex.html'));
  assert.equal(await paper(), dark);
});

test('the keyboard reaches the content, and the menu of a phone opens and closes', async (t) => {
  const page = await open(t, 'clients/codex.html', { size: 'phone' });
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'site-content');
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await page.getByRole('link', { name: 'opencode', exact: true }).waitFor();
  await page.screenshot({ path: join(screenshots, 'menu-phone.png') });
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  assert.equal(await menu.getAttribute('aria-expanded'), 'false');
});

test('the link to the next page turns every page', async (t) => {
  const page = await open(t, 'index.html');
  const turned = new Set(['index.html']);
  for (const next = page.locator('a[rel=next]'); await next.count() > 0;) {
    await page.goto(new URL(await next.getAttribute('href') ?? '', page.url()).href);
    const name = decodeURI(page.url()).slice(`${address('')}/`.length).replace(/^\//, '');
    assert.ok(!turned.has(name), `${name} comes twice`);
    turned.add(name);
  }
  assert.deepEqual([...turned].sort(), names);
});
