// The main states of the page, each in light, in dark and in forced colours, and at two widths: a picture for people to
// look at, what axe finds, and that nothing stands beyond the edge.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, pictures } from './browser.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof open>>['stage']} Stage */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** @param {Page} page @param {string} scene @param {Stage} stage */
async function show(page, stage, scene) {
  await page.locator(await stage.play(scene)).click();
  await page.locator('#tab-panel').waitFor();
}

/** @type {Record<string, { args?: string[], reach: (page: Page, stage: Stage) => Promise<void> }>} */
const states = {
  empty: { reach: (page) => page.getByText('No requests yet').waitFor() },
  list: {
    async reach(page, stage) {
      await stage.history(150);
      for (const scene of ['lossy', 'hostile']) await stage.play(scene);
      await page.locator(`${await stage.play('running')} .badge.running`).waitFor();
    },
  },
  'nothing-fits': {
    async reach(page, stage) {
      await stage.play('lossy');
      await page.locator('.spacer .row').waitFor();
      await page.getByLabel('Search client').fill('zebra');
      await page.getByText('No matches in').waitFor();
    },
  },
  losses: {
    async reach(page, stage) {
      await stage.history(40);
      await show(page, stage, 'lossy');
      await page.getByRole('button', { name: /\/messages\/1\/name/ }).click();
    },
  },
  refused: {
    async reach(page, stage) {
      await show(page, stage, 'refused');
      await page.getByRole('button', { name: 'Show /messages/1' }).click();
    },
  },
  stream: {
    async reach(page, stage) {
      await show(page, stage, 'streamed');
      await page.getByRole('tab', { name: 'Response' }).click();
    },
  },
  timeline: {
    async reach(page, stage) {
      await show(page, stage, 'streamed');
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.getByRole('button', { name: 'chunk 2' }).first().click();
    },
  },
  attempts: {
    async reach(page, stage) {
      await show(page, stage, 'rate-limited');
      await page.getByRole('tab', { name: 'Timeline' }).click();
    },
  },
  signatures: {
    async reach(page, stage) {
      await show(page, stage, 'tool-result');
      await page.getByRole('tab', { name: /Signatures/ }).click();
    },
  },
  broken: { reach: (page, stage) => show(page, stage, 'broken') },
  shortened: { reach: (page, stage) => show(page, stage, 'long') },
  'without-bodies': { args: [], reach: (page, stage) => show(page, stage, 'lossy') },
  loading: {
    async reach(page, stage) {
      await stage.play('lossy');
      await page.route('**/api/exchanges/1', () => {}); // It is never answered.
      await page.locator('.spacer .row').click();
      await page.locator('#detail').getByText('Loading…').waitFor();
    },
  },
  failed: {
    async reach(page, stage) {
      await stage.play('lossy');
      await page.route('**/api/exchanges/1', (route) => route.fulfill({ status: 500, body: '{"error":"the inspector made a mistake"}' }));
      await page.locator('.spacer .row').click();
      await page.getByRole('alert').waitFor();
    },
  },
  replay: {
    async reach(page, stage) {
      await show(page, stage, 'lossy');
      await page.getByRole('button', { name: 'Replay…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  menu: {
    async reach(page) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'no-jobs': {
    args: ['jobs'],
    async reach(page) {
      await page.getByRole('link', { name: 'Jobs' }).click();
      await page.getByText('No jobs yet').waitFor();
    },
  },
  jobs: {
    args: ['jobs'],
    async reach(page, stage) {
      await stage.jobs();
      await page.getByRole('link', { name: 'Jobs' }).click();
      await page.getByRole('link', { name: 'batch_4c1d' }).click();
      await page.getByRole('img', { name: /Lines over time/ }).waitFor();
      await page.getByText('question 12').waitFor();
    },
  },
  disconnected: {
    async reach(page, stage) {
      await stage.play('lossy');
      await page.locator('.spacer .row').waitFor();
      await stage.close();
      await page.getByText('Disconnected').waitFor();
    },
  },
};

const looks = /** @type {const} */ ([
  { colorScheme: 'light', forcedColors: 'none' }, { colorScheme: 'dark', forcedColors: 'none' }, { colorScheme: 'dark', forcedColors: 'active' },
]);

for (const [name, state] of Object.entries(states)) {
  test(`in light, in dark, in forced colours and at 400 px, nothing is wrong with the page: ${name}`, async (t) => {
    const { page, stage } = await open(t, browser, { args: state.args ?? ['bodies'] });
    await state.reach(page, stage);
    await page.evaluate(axe);
    for (const [size, width, height] of /** @type {[string, number, number][]} */ ([['usual', 1280, 800], ['narrow', 400, 800]])) {
      await page.setViewportSize({ width, height });
      for (const look of looks) {
        const label = `${name}-${size}-${look.forcedColors === 'active' ? 'forced' : look.colorScheme}`;
        await page.emulateMedia(look);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        await page.screenshot({ path: join(pictures, `${label}.png`) });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${label} is ${wide} px too wide`);
        assert.deepEqual(await violations(page), [], label);
      }
    }
  });
}

/** Returns what axe finds, also what is not serious. @param {Page} page @returns {Promise<string[]>} */
async function violations(page) {
  const found = await page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((/** @type {any} */ v) => `${v.impact} ${v.id}: ${v.nodes.map((/** @type {any} */ n) => n.html).slice(0, 3).join(' ')}`);
}

test('forced colours keep the marks', async (t) => {
  const { page, stage } = await open(t, browser);
  await show(page, stage, 'lossy');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('button', { name: /\/logit_bias/ }).click();
  /** @param {string} selector */
  const edge = (selector) => page.locator(selector).first().evaluate((e) => {
    const style = getComputedStyle(e);
    return `${style.borderLeftWidth} ${style.borderLeftStyle}`;
  });
  assert.equal(await edge('.line.marked-lost:not(.selected)'), '4px double');
  assert.match(await edge('.line.selected'), /^6px/);
  assert.equal(await edge('.badge.lost'), '2px solid');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const colours = await page.locator('.tick').first().evaluate((e) => [getComputedStyle(e).backgroundColor, getComputedStyle(document.body).backgroundColor]);
  assert.notEqual(colours[0], colours[1]);
});

test('borders of inputs and buttons have a contrast of 3 on their ground', async (t) => {
  const { page } = await open(t, browser);
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme });
    const contrasts = await page.locator('.bar input[type=text], .bar select, .bar button').evaluateAll((all) => {
      const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d', { willReadFrequently: true }));
      /** @param {string} colour */
      const luminance = (colour) => {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return all.flatMap((e) => [e, document.body].map((ground) => {
        const [a, b] = [luminance(getComputedStyle(e).borderTopColor), luminance(getComputedStyle(ground).backgroundColor)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      }));
    });
    assert.ok(contrasts.length >= 8 && Math.min(...contrasts) >= 3, `${colorScheme}: ${contrasts.map((c) => c.toFixed(2))}`);
  }
});

test('the page that refuses an address is readable too', async (t) => {
  const { stage, context } = await open(t, browser);
  const stranger = await browser.newContext();
  t.after(() => stranger.close());
  const page = await stranger.newPage();
  await page.goto(`${stage.url}/?token=used`);
  await page.screenshot({ path: join(pictures, 'address-refused.png') });
  await page.evaluate(axe);
  assert.deepEqual(await violations(page), []);
  assert.equal(context.pages().length, 1);
});
