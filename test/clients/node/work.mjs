// The streams that the Go tests converted, in the folder that GEMWIRE_WORK names.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The plainest reading of a stream: what its chunks say, put one after the other.
 * @typedef {object} Plain
 * @property {string} [failure] the stream ends in an error, or is cut off
 * @property {string} [blocked] the reason for which the prompt was refused
 * @property {PlainCandidate[] | null} candidates
 */

/**
 * @typedef {object} PlainCandidate
 * @property {string} text
 * @property {string} thoughts
 * @property {PlainCall[]} calls
 * @property {string[]} media
 * @property {string[]} finish
 */

/**
 * @typedef {object} PlainCall
 * @property {string} id empty where there is none: the converters make one
 * @property {string} name
 * @property {unknown} input
 * @property {boolean} answered its result is in the stream, so that the server has run it
 */

/**
 * One stream. A file that there is not is the empty string.
 * @typedef {object} Entry
 * @property {string} name
 * @property {Plain} plain
 * @property {Record<string, { stream: string, whole: string }>} forms
 */

const folder = process.env.GEMWIRE_WORK;

/** @type {{ streams: Entry[], missing: Record<string, string> } | undefined} */
const manifest = folder && existsSync(join(folder, 'manifest.json')) ? JSON.parse(read('manifest.json')) : undefined;

/**
 * Returns the streams in a form, or why there are none.
 * @param {string} form
 * @returns {{ skip: string | false, entries: { name: string, plain: Plain, stream: string, whole: string }[] }}
 */
export function convertedStreams(form) {
  if (!manifest) return { skip: 'GEMWIRE_WORK names no folder with a manifest; ../run.sh makes one', entries: [] };
  const entries = manifest.streams.flatMap(({ name, plain, forms }) => (forms[form] ? [{ name, plain, ...forms[form] }] : []));
  if (entries.length > 0) return { skip: false, entries };
  return { skip: Object.values(manifest.missing).join('; ') || `the Go tests made no ${form}`, entries };
}

/**
 * Reads a file of the manifest; the empty string for one that there is not.
 * @param {string} path
 */
export function read(path) {
  return path && folder ? readFileSync(join(folder, path), 'utf8') : '';
}

/**
 * Adds a line to the summary, which ../run.sh prints.
 * @param {string} line
 */
export function report(line) {
  if (folder) appendFileSync(join(folder, 'summary.txt'), `node: ${line}\n`);
}

/**
 * Calls check for each of the items and fails with all that it threw, cut to a readable length.
 * @template {{ name: string }} T
 * @param {T[]} items
 * @param {(item: T) => Promise<void>} check
 */
export async function checkEach(items, check) {
  /** @type {string[]} */
  const failures = [];
  for (const item of items) {
    try {
      await check(item);
    } catch (error) {
      failures.push(`${item.name}: ${String(error).slice(0, 1500)}`);
    }
  }
  if (failures.length > 0) throw new Error([`${failures.length} of ${items.length} streams`, ...failures.slice(0, 20)].join('\n\n'));
}
