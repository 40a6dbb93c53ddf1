// The hand-made streams in ../testdata, and the faults to put into them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../testdata/', import.meta.url);

/**
 * One fault: texts of a correct stream, each there once, and what to put in their place.
 * @typedef {object} BrokenCase
 * @property {string} name
 * @property {string} of
 * @property {{ old: string, new: string }[]} edits
 * @property {string[]} breaks
 * @property {Record<string, string>} clients what each client makes of the result
 */

/** @param {string} path */
export function testdata(path) {
  return readFileSync(new URL(path, folder), 'utf8');
}

/** @param {string} path */
export function hasTestdata(path) {
  return existsSync(new URL(path, folder));
}

/**
 * @param {string} kind the folder of the cases
 * @returns {BrokenCase[]}
 */
export function brokenCases(kind) {
  return JSON.parse(testdata(`${kind}/broken.json`));
}

/**
 * Returns the broken stream.
 * @param {BrokenCase} broken
 * @param {string} path of the correct one
 */
export function applyEdits({ name, edits }, path) {
  return edits.reduce((stream, edit) => {
    assert.equal(stream.split(edit.old).length - 1, 1, `${name}: ${edit.old} is not once in ${path}`);
    return stream.replace(edit.old, () => edit.new);
  }, testdata(path));
}
