// What clients of OpenAI's API say in these tests, and what they are answered.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { grounded as source } from '../gateway.mjs';

/** @param {string} name */
const tool = (name, properties = {}) => ({
  type: /** @type {const} */ ('function'),
  function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
});

export const weather = tool('get_weather', { city: { type: 'string' } });
export const table = tool('book_table', { city: { type: 'string' }, people: { type: 'integer' } });

/** The answer that ends the loop of {@link loop}. */
export const booked = 'A table in Porto is booked.';

/** The signature of the first turn of {@link loop}. */
const firstSignature = 'Zmlyc3Q/Pj8+8J+Usv//AAE=';

/** A script that calls tools over three turns; first is another signature for the first of them. */
export function loop({ first = firstSignature } = {}) {
  const path = fileURLToPath(new URL('../testdata/gateway/loop.yaml', import.meta.url));
  return readFileSync(path, 'utf8').replaceAll(firstSignature, first);
}

/** A script that answers too slowly to wait for, after its first word or before. */
export const slow = () => ({
  fixtures: [
    { match: { prompt: 'slowly' }, reply: [{ text: 'Once ' }, { pause: '60s' }, { text: 'upon a time.' }] },
    { match: { prompt: 'silently' }, reply: [{ pause: '60s' }, { text: 'At last.' }] },
  ],
});

// Nobody looks into these.
export const emptyPNG = Buffer.alloc(1 << 20).toString('base64');
export const emptyPDF = Buffer.alloc(1 << 10).toString('base64');
export const emptyWAV = Buffer.alloc(1 << 10).toString('base64');

/** A script of an answer with a search of the web and its source. */
export const grounded = () => ({ fixtures: [{ reply: source }] });
