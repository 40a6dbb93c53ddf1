// Checks parts with the TypeScript compiler, strictly, against the types of @ai-sdk/provider.

import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** @typedef {import('./parts.mjs').Part} Part */

const folder = fileURLToPath(new URL('.', import.meta.url));

/** @type {ts.CompilerOptions} */
const options = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  types: [],
};

/**
 * Returns what the compiler says about each of the streams, by name; a stream that is right is not in
 * the result. The sources are in memory only.
 * @param {Map<string, Part[]>} streams
 * @returns {Map<string, string[]>}
 */
export function typecheck(streams) {
  /** @type {Map<string, { name: string, source: string }>} */
  const files = new Map();
  for (const [name, parts] of streams) {
    files.set(`${folder}stream-${files.size}.ts`, { name, source: sourceOf(parts) });
  }
  const host = hostWith(new Map([...files].map(([path, { source }]) => [path, source])));
  const program = ts.createProgram([...files.keys()], options, host);

  /** @type {Map<string, string[]>} */
  const findings = new Map();
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = files.get(file?.fileName ?? '')?.name ?? file?.fileName ?? 'the compiler';
    findings.set(name, [...(findings.get(name) ?? []), ts.flattenDiagnosticMessageText(messageText, '\n')]);
  }
  return findings;
}

/** @param {Map<string, string>} sources by path */
function hostWith(sources) {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const source = sources.get(path);
    return source === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, source, version);
  };
  return host;
}

/** @param {Part[]} parts */
function sourceOf(parts) {
  return [
    `import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';`,
    'export const parts = [',
    ...parts.map((part) => `  ${literal(withUndefined(part))},`),
    '] satisfies LanguageModelV3StreamPart[];',
  ].join('\n');
}

/**
 * The members that V3 wants to be there even when they are undefined. JSON cannot say so: they are
 * absent in our lines, as in what JSON.stringify makes of a right part.
 */
const inputTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const outputTokens = { total: undefined, text: undefined, reasoning: undefined };

/**
 * @param {Part} part
 * @returns {Part}
 */
function withUndefined(part) {
  const { usage, finishReason } = part;
  if (part.type !== 'finish' || !isObject(usage?.inputTokens) || !isObject(usage?.outputTokens) || !isObject(finishReason)) return part;
  return {
    ...part,
    usage: { ...usage, inputTokens: { ...inputTokens, ...usage.inputTokens }, outputTokens: { ...outputTokens, ...usage.outputTokens } },
    finishReason: { raw: undefined, ...finishReason },
  };
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * Writes a value as a TypeScript expression.
 * @param {unknown} value
 * @returns {string}
 */
function literal(value) {
  if (value === undefined) return 'undefined';
  if (value instanceof Date) return `new Date(${JSON.stringify(value)})`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`);
  return `{ ${members.join(', ')} }`;
}
