// Writes the picture of the README to a file.

import { launch, serve } from './browser.mjs';

const stage = await serve('bodies');
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' });
await stage.history(40);
const row = await stage.play('lossy');
await page.goto(await stage.link());
await page.locator(row).click();
await page.getByRole('button', { name: /\/messages\/1\/name/ }).click();
await page.screenshot({ path: process.argv[2] });
await browser.close();
await stage.close();
