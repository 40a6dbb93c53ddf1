// What a stream of LanguageModelV3StreamPart must fulfil, as rules over its parts in their order.
// The AI SDK is lenient: that streamText takes a stream proves little.

/**
 * A part as it comes out of JSON: anything, until the rules have seen it.
 * @typedef {{ type?: string } & Record<string, any>} Part
 */

/** The names of the rules. Each of them is broken by a case of ../testdata/aisdk/broken.json. */
export const rules = [
  'type', //       the part has one of V3's types
  'start', //      stream-start comes once and first, with a list of warnings
  'block', //      a block of text or reasoning has an id of its own, one start, string deltas, one end
  'tool input', // the deltas of an input lie between its start and end, and join to the input of its call;
  //               without a call, its end says that it is incomplete
  'call', //       a tool call has an id of its own, a name, and an input that is JSON of an object in a string
  'result', //     a tool result is not null and answers an earlier call of the provider
  'file', //       a file has a media type and base64
  'source', //     a source has an id of its own, and a url or a title
  'error', //      an error part has an error
  'usage', //      counts are nested, and add up where they are known
  'finish', //     finish comes once and last, with a unified reason that fits what came before
];

const unifiedReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'];

/**
 * Returns the rules that a stream breaks, each with the ordinal of the part, counted from 1.
 * @param {Part[]} parts
 */
export function checkParts(parts) {
  const checker = new Checker();
  parts.forEach((part, i) => {
    checker.at = i + 1;
    checker.next(part);
  });
  checker.end();
  return checker.findings;
}

class Checker {
  at = 0;
  /** @type {{ rule: string, part: number, detail: string }[]} */
  findings = [];
  /** @type {{ kind: string, id: string } | undefined} the open block of text or reasoning */
  open;
  /** @type {Set<string>} the ids of blocks, by kind */
  blocks = new Set();
  /** @type {Map<string, { name: string, input: string, ended: boolean, incomplete: boolean, called: boolean }>} */
  inputs = new Map();
  /** @type {Map<string, Part>} */
  calls = new Map();
  /** @type {Set<string>} */
  sources = new Set();
  started = false;
  finished = false;
  failed = false;

  /**
   * @param {string} rule
   * @param {string} detail
   */
  breaks(rule, detail) {
    this.findings.push({ rule, part: this.at, detail });
  }

  /** @param {Part} part */
  next(part) {
    const check = part.type === undefined ? undefined : checks.get(part.type);
    if (!check) this.breaks('type', `${part.type} is not a type of V3`);
    if (this.finished) this.breaks('finish', `${part.type} follows it`);
    if (this.at === 1 && part.type !== 'stream-start') this.breaks('start', 'something comes before it');
    check?.(this, part);
  }

  end() {
    if (!this.finished) this.breaks('finish', 'it never came');
    if (this.open) this.breaks('block', `${this.open.kind} ${this.open.id} has no end`);
    for (const [id, { ended, incomplete, called }] of this.inputs) {
      const isRight = called !== incomplete || this.failed; // an error may cut the arguments off
      if (!ended || !isRight) this.breaks('tool input', `${id}: ended: ${ended}, incomplete: ${incomplete}, called: ${called}`);
    }
  }
}

/**
 * The check of each type of part.
 * @type {Map<string, (checker: Checker, part: Part) => void>}
 */
const checks = new Map([
  ['stream-start', checkStart],
  ['text-start', openBlock],
  ['text-delta', addToBlock],
  ['text-end', closeBlock],
  ['reasoning-start', openBlock],
  ['reasoning-delta', addToBlock],
  ['reasoning-end', closeBlock],
  ['tool-input-start', openInput],
  ['tool-input-delta', addToInput],
  ['tool-input-end', closeInput],
  ['tool-call', checkCall],
  ['tool-result', checkResult],
  ['file', checkFile],
  ['source', checkSource],
  ['error', checkError],
  ['finish', checkFinish],
  ['response-metadata', () => {}],
  ['tool-approval-request', () => {}],
  ['raw', () => {}],
]);

/** @type {(checker: Checker, part: Part) => void} */
function checkStart(checker, { warnings }) {
  if (checker.started) checker.breaks('start', 'it comes again');
  if (!Array.isArray(warnings)) checker.breaks('start', 'no list of warnings');
  checker.started = true;
}

/** @param {Part} part */
function kindOf(part) {
  return String(part.type).split('-')[0];
}

/** @type {(checker: Checker, part: Part) => void} */
function openBlock(checker, part) {
  const kind = kindOf(part);
  if (!isName(part.id)) return checker.breaks('block', `${kind} has no id`);
  if (checker.open) checker.breaks('block', `${kind} ${part.id} opens within ${checker.open.kind} ${checker.open.id}`);
  if (checker.blocks.has(part.id)) checker.breaks('block', `${kind} ${part.id} has the id of an earlier block`);
  checker.blocks.add(part.id);
  checker.open = { kind, id: part.id };
}

/** @type {(checker: Checker, part: Part) => void} */
function addToBlock(checker, part) {
  if (!isOpen(checker, part)) checker.breaks('block', `${part.type} ${part.id} is not of the open block`);
  if (typeof part.delta !== 'string') checker.breaks('block', `${part.type} ${part.id} has no delta`);
}

/** @type {(checker: Checker, part: Part) => void} */
function closeBlock(checker, part) {
  if (!isOpen(checker, part)) return checker.breaks('block', `${part.type} ${part.id} closes no open block`);
  checker.open = undefined;
}

/** @type {(checker: Checker, part: Part) => boolean} */
function isOpen({ open }, part) {
  return open?.kind === kindOf(part) && open.id === part.id;
}

/** @type {(checker: Checker, part: Part) => void} */
function openInput(checker, { id, toolName }) {
  if (!isName(id) || !isName(toolName)) return checker.breaks('tool input', 'no id or no name');
  if (checker.inputs.has(id)) checker.breaks('tool input', `${id} starts again`);
  checker.inputs.set(id, { name: toolName, input: '', ended: false, incomplete: false, called: false });
}

/** @type {(checker: Checker, part: Part) => void} */
function addToInput(checker, { id, delta }) {
  const input = checker.inputs.get(id);
  if (!input || input.ended || typeof delta !== 'string') return checker.breaks('tool input', `${id} is not open, or has no delta`);
  input.input += delta;
}

/** @type {(checker: Checker, part: Part) => void} */
function closeInput(checker, { id, providerMetadata }) {
  const input = checker.inputs.get(id);
  if (!input || input.ended) return checker.breaks('tool input', `${id} is not open`);
  input.ended = true;
  input.incomplete = providerMetadata?.google?.incomplete === true;
}

/** @type {(checker: Checker, part: Part) => void} */
function checkCall(checker, part) {
  const { toolCallId: id, toolName, input } = part;
  if (!isName(id) || !isName(toolName)) checker.breaks('call', 'no id or no name');
  if (checker.calls.has(id)) checker.breaks('call', `${id} comes again`);
  if (!isObjectText(input)) checker.breaks('call', `${id} has no input that is a JSON object in a string`);
  checker.calls.set(id, part);

  const streamed = checker.inputs.get(id);
  if (!streamed) return;
  streamed.called = true;
  if (streamed.name !== toolName) checker.breaks('tool input', `${id} is for ${streamed.name}, the call for ${toolName}`);
  if (typeof input === 'string' && (streamed.input || '{}') !== input) checker.breaks('tool input', `${id} joins to ${streamed.input}`);
}

/** @type {(checker: Checker, part: Part) => void} */
function checkResult(checker, { toolCallId, toolName, result }) {
  const call = checker.calls.get(toolCallId);
  if (call?.toolName !== toolName || call?.providerExecuted !== true) checker.breaks('result', `${toolCallId} answers no call of the provider`);
  if (result === undefined || result === null) checker.breaks('result', `${toolCallId} has none`);
}

/** @type {(checker: Checker, part: Part) => void} */
function checkFile(checker, { mediaType, data }) {
  const isBase64 = typeof data === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  if (!isName(mediaType) || !isBase64) checker.breaks('file', 'no media type or no base64');
}

/** @type {(checker: Checker, part: Part) => void} */
function checkSource(checker, { sourceType, id, url, title }) {
  if (!isName(id) || checker.sources.has(id)) checker.breaks('source', 'no id of its own');
  checker.sources.add(id);
  const isComplete = sourceType === 'url' ? isName(url) : sourceType === 'document' && typeof title === 'string';
  if (!isComplete) checker.breaks('source', `${id} is neither a url nor a document`);
}

/** @type {(checker: Checker, part: Part) => void} */
function checkError(checker, { error }) {
  checker.failed = true;
  if (error === undefined || error === null) checker.breaks('error', 'there is none');
}

/** @type {(checker: Checker, part: Part) => void} */
function checkFinish(checker, { usage, finishReason }) {
  if (checker.finished) return;
  checker.finished = true;
  checkUsage(checker, usage);
  const { unified, raw } = finishReason ?? {};
  if (!unifiedReasons.includes(unified)) checker.breaks('finish', `${JSON.stringify(finishReason)} has no unified reason`);
  if (raw !== undefined && typeof raw !== 'string') checker.breaks('finish', 'the raw reason is not a string');
  const called = [...checker.calls.values()].some((call) => call.providerExecuted !== true);
  if ((unified === 'stop' && called) || (unified === 'tool-calls' && !called)) checker.breaks('finish', `${unified}, calls before it: ${called}`);
  if (checker.failed && unified !== 'error') checker.breaks('finish', `${unified} after an error`);
}

/** @type {(checker: Checker, usage: any) => void} */
function checkUsage(checker, usage) {
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  if (typeof input !== 'object' || typeof output !== 'object') return checker.breaks('usage', 'the counts are not nested');
  const counts = [input.total, input.noCache, input.cacheRead, input.cacheWrite, output.total, output.text, output.reasoning];
  if (counts.some((count) => count !== undefined && !Number.isInteger(count))) checker.breaks('usage', 'a count is not an integer');
  if (!addsUp(input.total, [input.noCache, input.cacheRead, input.cacheWrite])) checker.breaks('usage', 'input');
  if (!addsUp(output.total, [output.text, output.reasoning])) checker.breaks('usage', 'output');
}

/** @type {(total: number | undefined, terms: (number | undefined)[]) => boolean} */
function addsUp(total, terms) {
  if (terms.every((term) => term === undefined)) return true;
  return total === terms.reduce((/** @type {number} */ sum, term) => sum + (term ?? 0), 0);
}

/** @param {unknown} value */
function isName(value) {
  return typeof value === 'string' && value !== '';
}

/** @param {unknown} text */
function isObjectText(text) {
  if (typeof text !== 'string') return false;
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
