// Writes the pictures of the docs into a folder: inspector.png, and one of each view.

import { join } from 'node:path';
import { launch, serve } from './browser.mjs';

const folder = process.argv[2];
const stage = await serve('bodies', 'spend');
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' });

/** @param {string} name */
const picture = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
/** @param {string} row @returns {string} */
const numberOf = (row) => /\d+/.exec(row)?.[0] ?? '';

await stage.history(40);
const talk = await stage.play('tool-result');
const retried = await stage.play('rate-limited');
const streamed = await stage.play('streamed');
const row = await stage.play('lossy');
await page.goto(await stage.link());
await page.locator(row).click();
await page.getByRole('button', { name: /\/messages\/1\/name/ }).click();
await picture('inspector');

await page.locator(talk).click();
await page.getByRole('tab', { name: 'Conversation' }).click();
await page.locator('#tab-panel .messages').first().waitFor();
await picture('inspector-conversation');

await page.locator(retried).click();
await page.getByRole('tab', { name: 'Timeline' }).click();
await picture('inspector-timeline');

const { origin } = new URL(page.url());
await page.goto(`${origin}/overview`);
await page.getByRole('heading', { name: 'Models' }).first().waitFor();
await picture('inspector-overview');
await page.goto(`${origin}/spend`);
await page.getByRole('heading', { name: 'By key' }).waitFor();
await picture('inspector-spend');
await page.goto(`${origin}/compare/${numberOf(row)}/${numberOf(streamed)}`);
await page.getByRole('heading', { name: /Compare/ }).waitFor();
await picture('inspector-compare');

await browser.close();
await stage.close();
