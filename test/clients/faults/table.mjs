// The page of the docs with the table. run.mjs says what an end is.

/** @typedef {Map<string, import('./faults.test.mjs').Cell>} Cells by agent and fault */

/** @type {Record<import('./run.mjs').End, string>} */
const words = { finishes: '✓', fails: 'error', stops: 'stops', hangs: 'waits' };

/**
 * Returns the page, with the versions in the header of the table.
 * @param {import('./agents.mjs').Agent[]} agents
 * @param {import('./faults.mjs').Fault[]} faults
 * @param {Cells} cells
 */
export function page(agents, faults, cells) {
  /** @param {string} fault @param {import('./agents.mjs').Agent} agent */
  const end = (fault, { name, label }) => cells.get(`${name} ${label} ${fault}`)?.through;
  const head = agents.map(({ name, version, label }) => `${name} ${version}, ${label}`);
  const rows = faults.map(({ name }) => [name, ...agents.map((agent) => words[end(name, agent) ?? 'hangs'])]);
  const table = [['failure', ...head], ['---', ...head.map(() => '---')], ...rows];
  const ends = new Set(agents.flatMap((agent) => faults.map(({ name }) => end(name, agent))));
  const explained = [...(ends.has('stops') ? [stops] : []), ...(ends.has('hangs') ? [waits] : [])];
  return [before, ...table.map((row) => `| ${row.join(' | ')} |`), after, ...explained].join('\n');
}

const before = `<!-- Written by UPDATE=1 npm test in test/clients/faults. DO NOT EDIT. -->

# Agents and failures

Gemini fails while an agent works on a task. The table shows how the agent ends:

- ✓: it finished its task.
- \`error\`: it stopped with an exit code other than 0, as it does without a gateway.
`;

const after = `
The agent writes a file with one command, and then a second file with another. The upstream fails
after the first command, before it sends the second one. A finished task has both files, the final
text and the exit code 0.

| failure | what happens |
|---|---|
| 429 twice | two answers with the status 429, which ask for a wait of one second |
| 503, 500 | one answer with this status, at once or after 7 s |
| cut stream | the connection ends after some text |
| error in the stream | an error follows some text |
| malformed call | an answer without content, with \`MALFORMED_FUNCTION_CALL\` |
| empty answer | an answer without content, with \`STOP\` |
| 75 s of silence | the answer is right, and begins after 75 s |
| killed and restarted | \`kill -9\` ends the gateway during the request, and it starts again with its store |

Each request after the first command has to return the signature of the first call. After a restart
that signature has 6,000 characters, which do not fit into an id. "The way back" is Gemini CLI with
a server of chat_completions as the upstream. Anthropic's SDK stands for Claude Code, which the test
does not run. The SDK does not retry after a stream has begun.

If an agent does not finish, the test repeats the failure without the gateway, where the agent must
end in the same way. The fake server plays Gemini's API there, and a small server the other APIs.
[\`test/clients/faults\`](../test/clients/faults) has the agents, the failures and these servers.
`;

const stops = `With \`stops\` the agent ends too early with the exit code 0.
`;

const waits = `With \`waits\` the agent has not ended after 200 s.
`;
