// The faults: what the server does in place of the second call of a task, once or more.

/** A block of an answer, as scripts of the fake server have it; origin.mjs plays those that are used here. */
/** @typedef {{ text?: string[], pause?: string, fault?: { kind: string, retryDelay?: string }, call?: { name: string, args: object }, signature?: string }} Block */
/** @typedef {Block[] | { blocks?: Block[], finishReason: string }} Reply */

/**
 * - replies: what the server answers before it answers as it should
 * - before: blocks before the second call, of an answer that is right otherwise
 * - kills: the gateway is killed and started again while it waits for the second call
 * - waits: the test only waits
 * - signature: the length of the signature of the first call
 * @typedef {{ name: string, replies?: Reply[], before?: Block[], kills?: boolean, waits?: boolean, signature?: number }} Fault
 */

const begun = { text: ['I double ', 'the file '] };

/** @type {Fault[]} */
export const faults = [
  { name: '429 twice', replies: Array(2).fill([{ fault: { kind: 'rateLimited', retryDelay: '1s' } }]) },
  { name: '503', replies: [[{ fault: { kind: 'unavailable' } }]] },
  { name: '503 after 7 s', replies: [[{ pause: '7s' }, { fault: { kind: 'unavailable' } }]] },
  { name: '500', replies: [[{ fault: { kind: 'internal' } }]] },
  { name: 'cut stream', replies: [[begun, { fault: { kind: 'cut' } }]] },
  { name: 'error in the stream', replies: [[begun, { fault: { kind: 'unavailable' } }]] },
  { name: 'malformed call', replies: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] },
  { name: 'empty answer', replies: [{ finishReason: 'STOP' }] },
  { name: '75 s of silence', before: [{ pause: '75s' }], waits: true },
  { name: 'killed and restarted', replies: [[{ pause: '150s' }, { text: ['Too late.'] }]], kills: true, signature: 6000 },
];

/** What the second call leaves in two.txt, and what the agent says at the end. */
export const written = 'one\none\n';
export const said = 'Both files are written.';

/**
 * Returns a script: a signed call that writes one.txt, the fault, a call that writes two.txt, and the final text. What
 * follows the first call is there only for requests that return its signature.
 * @param {string} tool
 * @param {(command: string) => object} args the arguments of the tool for a shell command
 * @param {Fault} fault
 */
export function scriptOf(tool, args, { replies = [], before = [], signature: length = 200 }) {
  const signature = Buffer.alloc((length / 4) * 3, 'a signature of the first call ').toString('base64');
  /** @param {string} command */
  const call = (command) => ({ call: { name: tool, args: args(command) } });
  return {
    strict: true,
    fixtures: [
      { match: { tool, turn: 0 }, reply: [{ ...call('printf "one\\n" > one.txt'), signature }] },
      { match: { tool, signature }, replies: [...replies, [...before, call('cat one.txt one.txt > two.txt')], said] },
      { match: { tool }, reply: [{ fault: { kind: 'error', httpStatus: 400, status: 'INVALID_ARGUMENT', message: 'the script has no answer left' } }] },
      { reply: 'Two files' },
    ],
  };
}
