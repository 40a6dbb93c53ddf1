// What axe finds, and whether anything stands beyond the edge.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pictures } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Looks at a page in light, in dark and at 400 px, and takes pictures.
 * @param {import('playwright-core').Page} page
 * @param {string} name of the pictures
 * @param {'none' | 'active'} forcedColors
 */
export async function isFine(page, name, forcedColors) {
  await page.evaluate(axe);
  for (const [width, colorScheme] of /** @type {[number, 'light' | 'dark'][]} */ ([[1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']])) {
    const label = `${name}-${width === 400 ? 'narrow' : 'usual'}-${colorScheme}${forcedColors === 'active' ? '-forced' : ''}`;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, forcedColors });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.screenshot({ path: join(pictures, `${label}.png`) });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) <= 0, `${label}: too wide`);
    const found = await page.evaluate(() => /** @type {any} */ (window).axe.run(document, { resultTypes: ['violations'] }));
    const violations = found.violations.map((/** @type {any} */ v) => `${v.id}: ${v.nodes.map((/** @type {any} */ n) => n.html).slice(0, 3).join(' ')}`);
    assert.deepEqual(violations, [], label);
  }
}
