// What a program gets out of a completion through the npm package openai, whole or as a stream.

import assert from 'node:assert/strict';
import OpenAI from 'openai';

/** @typedef {OpenAI.ChatCompletion} ChatCompletion */
/** @typedef {OpenAI.ChatCompletion.Choice} Choice */
/** @typedef {'accepts' | 'differs' | 'refuses'} Verdict */

/** @type {{ model: string, messages: OpenAI.ChatCompletionMessageParam[] }} */
const question = { model: 'any', messages: [{ role: 'user', content: '?' }] };

/** @param {string} baseURL */
function newClient(baseURL) {
  return new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0, logLevel: 'off' });
}

/**
 * Asks for a whole completion.
 * @param {string} baseURL
 */
export async function whole(baseURL) {
  const completion = await newClient(baseURL).chat.completions.create(question);
  const reasoning = completion.choices.map((choice) => [choice.index, unofficial(choice.message).reasoning_content ?? '']);
  return answer(completion, new Map(/** @type {[number, string][]} */ (reasoning)));
}

/**
 * Asks for a stream and lets ChatCompletionStream accumulate it.
 *
 * That class appends content, refusal and arguments; of any other member the last delta wins. So
 * reasoning_content is joined here, as programs do, but annotations, images and extra_content are
 * taken as the class leaves them: a converter that splits them over deltas loses some.
 * @param {string} baseURL
 */
export async function streamed(baseURL) {
  /** @type {Map<number, string>} */
  const reasoning = new Map();
  const stream = newClient(baseURL).chat.completions.stream({ ...question, stream_options: { include_usage: true } });
  stream.on('chunk', (chunk) => {
    for (const { index, delta } of chunk.choices) {
      reasoning.set(index, (reasoning.get(index) ?? '') + (unofficial(delta ?? {}).reasoning_content ?? ''));
    }
  });
  return answer(await stream.finalChatCompletion(), reasoning);
}

/**
 * Asks for a response, as a stream that the package accumulates, and whole.
 * @param {string} baseURL
 */
export function responsesOf(baseURL) {
  const { responses } = newClient(baseURL);
  const request = { model: 'any', input: '?' };
  return {
    streamed: () => responses.stream(request).finalResponse(),
    parsed: () => responses.parse(request),
  };
}

/**
 * What the client makes of a stream, beside the whole completion, and why.
 * @param {string} baseURL
 * @returns {Promise<{ verdict: Verdict, why: string }>}
 */
export async function judge(baseURL) {
  const want = await whole(baseURL);
  let got;
  try {
    got = await streamed(baseURL);
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
 * @param {ChatCompletion} completion
 * @param {Map<number, string>} reasoning by the index of the choice
 */
function answer({ id, model, created, choices, usage }, reasoning) {
  const { prompt_tokens_details: prompt, completion_tokens_details: output, ...counts } = usage ?? {};
  return {
    id,
    model,
    created,
    choices: choices.map((choice) => describe(choice, reasoning.get(choice.index) ?? '')),
    usage: { ...counts, cached: prompt?.cached_tokens, reasoning: output?.reasoning_tokens },
  };
}

/**
 * @param {Choice} choice
 * @param {string} reasoning
 */
function describe({ index, message, finish_reason, ...choice }, reasoning) {
  const { annotations, images, extra_content } = unofficial(message);
  return {
    index,
    content: message.content,
    refusal: message.refusal,
    reasoning,
    calls: (message.tool_calls ?? []).map((call) => ({ ...call })),
    annotations: annotations ?? [],
    images: images ?? [],
    extra: extra_content,
    finish: finish_reason,
    native: unofficial(choice).native_finish_reason,
  };
}

/**
 * The members that OpenAI's description does not have, or not in a delta.
 * @param {object} message
 * @returns {{ reasoning_content?: string, annotations?: object[], images?: object[], extra_content?: object, native_finish_reason?: string }}
 */
function unofficial(message) {
  return message;
}
