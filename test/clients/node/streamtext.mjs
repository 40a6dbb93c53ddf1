// What a program gets out of a stream of parts through streamText of the npm package ai.

import assert from 'node:assert/strict';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';

/** @typedef {import('@ai-sdk/provider').LanguageModelV3StreamPart} StreamPart */
/** @typedef {import('./parts.mjs').Part} Part */

/**
 * What is expected of a stream, or what came of it. Calls are those that the program has to answer.
 * @typedef {object} Outcome
 * @property {string} text
 * @property {string} reasoning
 * @property {{ id?: string, name: string, input: unknown }[]} calls
 * @property {string[]} files media types
 * @property {string[]} sources URLs, titles where there are none
 * @property {{ unified: string, raw?: string }} finish
 * @property {{ input: number, cached: number, output: number, reasoning: number, total: number }} usage
 */

/** An error part, a call that the SDK could not read, or a stream that it gave up. */
export class StreamFailed extends Error {}

/**
 * Reads the parts as they come out of JSON lines: a Date is a string there.
 * @param {string} lines
 * @returns {Part[]}
 */
export function parseParts(lines) {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const part = JSON.parse(line);
      if (typeof part.timestamp === 'string') part.timestamp = new Date(part.timestamp);
      return part;
    });
}

/**
 * Runs streamText over a model that gives these parts. It throws StreamFailed when the program would
 * see a failure.
 * @param {Part[]} parts
 * @param {string[]} toolNames the tools that the program has
 * @returns {Promise<Outcome>}
 */
export async function run(parts, toolNames) {
  const stream = convertArrayToReadableStream(/** @type {StreamPart[]} */ (parts));
  let asked = 0;
  const doStream = async () => {
    if (asked++ > 0) throw new StreamFailed('the model is asked again');
    return { stream };
  };
  const result = streamText({
    model: new MockLanguageModelV3({ doStream }),
    prompt: '?',
    stopWhen: stepCountIs(3), // as an agent does: a stream that leaves nothing to do is one step even so
    tools: tools(toolNames),
    maxRetries: 0,
    onError: () => {}, // the loop below sees it too
  });
  for await (const part of result.fullStream) {
    if (part.type === 'error' || part.type === 'tool-error') throw new StreamFailed(`${part.type}: ${JSON.stringify(part.error) ?? ''} ${part.error}`);
    if (part.type === 'tool-call' && part.invalid) throw new StreamFailed(`invalid call: ${part.error}`);
  }
  return outcome(result);
}

/**
 * What streamText makes of a stream, beside what was expected, and why.
 * @param {Part[]} parts
 * @param {Outcome} want
 * @returns {Promise<{ verdict: 'accepts' | 'differs' | 'refuses', why: string }>}
 */
export async function judge(parts, want) {
  let got;
  try {
    got = await run(parts, want.calls.map(({ name }) => name));
  } catch (error) {
    return { verdict: 'refuses', why: String(error) };
  }
  try {
    assert.deepEqual(got, want);
  } catch (error) {
    return { verdict: 'differs', why: String(error) };
  }
  return { verdict: 'accepts', why: '' };
}

/**
 * The tools of a program that also lets the provider run code. None has a function to execute, so
 * that the stream is one step.
 * @param {string[]} names
 * @returns {import('ai').ToolSet}
 */
function tools(names) {
  const inputSchema = jsonSchema({ type: 'object' });
  const code = tool({ type: 'provider', id: 'google.code_execution', args: {}, inputSchema, outputSchema: jsonSchema({}) });
  return { code_execution: code, ...Object.fromEntries(names.map((name) => [name, tool({ inputSchema })])) };
}

/**
 * @param {import('ai').StreamTextResult<import('ai').ToolSet, any>} result
 * @returns {Promise<Outcome>}
 */
async function outcome(result) {
  const usage = await result.usage;
  return {
    text: await result.text,
    reasoning: (await result.reasoningText) ?? '',
    calls: (await result.toolCalls)
      .filter((call) => !call.providerExecuted)
      .map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
    files: (await result.files).map((file) => file.mediaType),
    sources: (await result.sources).map((source) => (source.sourceType === 'url' ? source.url : source.title)),
    finish: { unified: await result.finishReason, raw: await result.rawFinishReason },
    usage: {
      input: usage.inputTokens ?? 0,
      cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
      output: usage.outputTokens ?? 0,
      reasoning: usage.outputTokenDetails.reasoningTokens ?? 0,
      total: usage.totalTokens ?? 0,
    },
  };
}
