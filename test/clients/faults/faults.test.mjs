// What each agent does when a server fails in the middle of its task, through the gateway. Where an agent does not finish,
// it runs again without the gateway, and has to end there in the same way. docs/agents-and-faults.md shows the ends.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { agents } from './agents.mjs';
import { gemwire } from '../command.mjs';
import { faults } from './faults.mjs';
import { run } from './run.mjs';
import { page } from './table.mjs';

/** Agents at a time. Those that only wait are not counted. */
const lanes = 4;

const docs = new URL('../../../docs/agents-and-faults.md', import.meta.url);

// For work on a part of the table: AGENT=codex FAULT=503 npm test
const { AGENT = '', FAULT = '', UPDATE } = process.env;
const chosen = agents.filter(({ name, label }) => `${name} ${label}`.includes(AGENT));
const failing = faults.filter(({ name }) => name.includes(FAULT));
const missing = chosen.filter(({ program }) => !existsSync(program));
const isWhole = chosen.length === agents.length && failing.length === faults.length && missing.length === 0;

gemwire(); // is built before the first cell

/** @type {(() => void)[]} */
const queue = [];
let busy = 0;

/**
 * Runs when there is a lane.
 * @template T
 * @param {() => Promise<T>} measure
 * @returns {Promise<T>}
 */
async function inLane(measure) {
  if (busy === lanes) await new Promise((resolve) => queue.push(() => resolve(undefined)));
  else busy++;
  try {
    return await measure();
  } finally {
    const next = queue.shift();
    if (next) next();
    else busy--;
  }
}

/**
 * - through: how the agent ended
 * - without: the same without the gateway, where it did not finish
 * @typedef {{ through: import('./run.mjs').End, without?: import('./run.mjs').End, output: string }} Cell
 */

/** @param {import('./agents.mjs').Agent} agent @param {import('./faults.mjs').Fault} fault @returns {Promise<Cell>} */
async function measure(agent, fault) {
  const through = await run(agent, fault, false);
  if (through.end === 'finishes') return { through: through.end, output: '' };
  const without = await run(agent, fault, true);
  return { through: through.end, without: without.end, output: `${through.output}\n\nwithout the gateway:\n${without.output}` };
}

/** @type {import('./table.mjs').Cells} */
const cells = new Map();

describe('agents and faults', { concurrency: 1000 }, () => {
  const measured = failing.toSorted((a, b) => Number(b.waits ?? false) - Number(a.waits ?? false)).flatMap((fault) =>
    chosen.map((agent) => {
      const { promise, resolve } = deferred();
      test(`${agent.name} (${agent.label}): ${fault.name}`, { skip: missing.includes(agent) && 'there is no program for this machine' }, async () => {
        try {
          const cell = await (fault.waits ? measure(agent, fault) : inLane(() => measure(agent, fault)));
          cells.set(`${agent.name} ${agent.label} ${fault.name}`, cell);
          assert.ok(cell.through === 'finishes' || cell.through === cell.without, `${cell.through}, without a gateway ${cell.without}\n${cell.output}`);
        } finally {
          resolve();
        }
      });
      return promise;
    }),
  );

  test('docs/agents-and-faults.md shows these ends', { skip: !isWhole && 'only a part was measured' }, async () => {
    await Promise.all(measured);
    const text = page(agents, faults, cells);
    if (UPDATE) writeFileSync(docs, text);
    assert.equal(readFileSync(docs, 'utf8'), text, 'the page differs from what was measured; UPDATE=1 npm test in test/clients/faults writes it anew');
  });
});

test('the versions of the table are those that are installed', () => {
  for (const { pin, package: name, version } of agents) {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(new URL(`${pin}/package.json`, import.meta.url), 'utf8'));
    const pins = Object.entries({ ...dependencies, ...optionalDependencies }).map(([key, value]) => `${key} ${value}`);
    assert.ok(pins.some((text) => text.includes(name) && text.includes(version)), `${name} ${version}`);
  }
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise((/** @type {(value?: undefined) => void} */ done) => (resolve = done));
  return { promise, resolve };
}
