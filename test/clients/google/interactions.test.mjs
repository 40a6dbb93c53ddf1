// npm @google/genai 3, Google's own client, and the interactions model of @ai-sdk/google: the Interactions API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { APICallError, generateText, stepCountIs, streamText, tool } from 'ai';
import { GoogleGenAI } from 'genai-3';
import { OAuth2Client } from 'google-auth-library';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { emulate } from './emulator.mjs';

/** @typedef {import('genai-3').Interactions.Interaction} Interaction */
/** @typedef {import('genai-3').Interactions.InteractionSSEEvent} Event */
/** @typedef {import('genai-3').Interactions.Step} Step */
/** @typedef {import('genai-3').Interactions.FunctionCallStep} Call */
/** @typedef {import('genai-3').Interactions.ToolChoiceType} Choice */

const model = 'gemini-3.6-flash';
const agent = 'deep-research-preview-04-2026';
const prompt = 'Why is the sky blue?';
const longPrompt = 'Tell me more [words 60]';
const isThroughGateway = Boolean(process.env.GEMWIRE_THROUGH_GATEWAY);

/** @type {{ url: string, close: () => Promise<unknown> }} */
let server;
before(async () => {
  server = await (isThroughGateway ? serve({ flags: ['--store', 'memory'] }) : emulate());
});
after(() => server.close());

/** A script whose answer does not end. */
const slow = { fixtures: [{ match: { prompt: 'slowly' }, reply: [{ pause: '60s' }, { text: 'At last.' }] }] };

/** @param {string} baseUrl */
const geminiAPI = (baseUrl, apiKey = 'any') => new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });

/** @param {string} baseUrl */
function vertexAI(baseUrl) {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'ya29.none', expiry_date: Date.now() + 3_600_000 });
  return new GoogleGenAI({ vertexai: true, project: 'acme', location: 'europe-west4', googleAuthOptions: { authClient }, httpOptions: { baseUrl } });
}

/**
 * A client of each service, by what the service is called.
 * @type {Record<string, (baseUrl: string) => GoogleGenAI>}
 */
const services = { 'the Gemini API': geminiAPI, 'Vertex AI': vertexAI };

/** @param {Interaction} interaction */
function checkInteraction({ status, output_text, usage }) {
  assert.equal(status, 'completed');
  assert.ok(output_text);
  const { total_input_tokens = 0, total_output_tokens = 0, total_thought_tokens = 0, total_tool_use_tokens = 0, total_tokens } = usage ?? {};
  assert.ok(total_input_tokens > 0 && total_output_tokens > 0);
  assert.equal(total_input_tokens + total_output_tokens + total_thought_tokens + total_tool_use_tokens, total_tokens);
}

const known = ['interaction.created', 'interaction.status_update', 'step.start', 'step.delta', 'step.stop', 'interaction.completed'];

/**
 * Reads a stream to its end.
 * @param {AsyncIterable<Event>} events
 */
async function read(events) {
  const got = { text: '', pieces: 0, signature: '', ids: /** @type {string[]} */ ([]) };
  /** @type {Map<number, Call & { raw: string }>} */
  const calls = new Map();
  let completed;
  for await (const event of events) {
    assert.ok(known.includes(event.event_type), JSON.stringify(event));
    if (event.event_type === 'step.start' && event.step.type === 'function_call') calls.set(event.index, { ...event.step, raw: '' });
    if (event.event_type === 'interaction.completed') completed = event.interaction;
    if (event.event_type !== 'step.delta') continue;
    if (event.event_id) got.ids.push(event.event_id);
    const { delta } = event;
    if (delta.type === 'text') {
      got.text += delta.text;
      got.pieces++;
    }
    if (delta.type === 'thought_signature') got.signature = delta.signature ?? '';
    const call = calls.get(event.index);
    if (call && delta.type === 'arguments_delta') call.raw += delta.arguments;
  }
  assert.ok(completed, 'the stream has no interaction.completed');
  return { ...got, completed, calls: [...calls.values()].map(({ raw, ...call }) => ({ ...call, arguments: JSON.parse(raw) })) };
}

/**
 * The members that have a model call, or that leave it the choice.
 * @param {Choice} choice
 */
const withTools = (choice) => ({
  model,
  tools: [
    {
      type: /** @type {const} */ ('function'),
      name: 'get_weather',
      description: 'Returns the weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  generation_config: { tool_choice: choice },
});

/** @param {Interaction} interaction */
function callsOf({ status, steps = [] }) {
  assert.equal(status, 'requires_action');
  return steps.flatMap((step) => (step.type === 'function_call' ? [step] : []));
}

/**
 * Answers calls.
 * @param {Call[]} calls
 * @returns {Step[]}
 */
function resultsOf(calls) {
  assert.ok(calls.length > 0, 'the model calls nothing');
  return calls.map(({ id, name, arguments: { city } }) => {
    assert.equal(name, 'get_weather');
    assert.equal(typeof city, 'string');
    return { type: 'function_result', call_id: id, name, result: '{"degrees":21}' };
  });
}

/** Two turns that must call, and one that answers. @type {Choice[]} */
const threeTurns = ['any', 'any', 'auto'];
const question = 'How is the weather in Porto and in Lima?';

/**
 * Sees that the server refuses in a given way.
 * @param {Promise<unknown>} call
 * @param {number} status
 * @param {RegExp} message
 */
async function refused(call, status, message) {
  await assert.rejects(call, (/** @type {any} */ error) => {
    assert.equal(error.status, status, String(error));
    assert.match(`${error.message} ${JSON.stringify(error.error ?? error.body)}`, message);
    return true;
  });
}

// The gateway has interactions at the paths of the Gemini API.
for (const [service, connect] of Object.entries(services).slice(0, isThroughGateway ? 1 : 2)) {
  describe(`@google/genai 3: interactions of ${service}`, () => {
    /** @type {GoogleGenAI} */
    let ai;
    /** Why tests of stored interactions are skipped: on a gateway that answers that it has none. */
    let withoutStore = '';
    before(async () => {
      ai = connect(server.url);
      if (!isThroughGateway) return;
      const { id } = await ai.interactions.create({ model, input: prompt, store: true });
      try {
        await ai.interactions.get(id);
      } catch (/** @type {any} */ error) {
        if (error.status !== 404) throw error;
        withoutStore = `the gateway stores no interactions: ${error.message}`;
      }
    });

    /**
     * A test of stored interactions.
     * @param {string} name
     * @param {(t: import('node:test').TestContext) => Promise<void>} run
     */
    const stored = (name, run) =>
      test(name, async (t) => {
        if (withoutStore) t.skip(withoutStore);
        else await run(t);
      });

    test('an interaction is whole', async () => {
      const interaction = await ai.interactions.create({ model, input: prompt });
      checkInteraction(interaction);
      assert.equal(interaction.model, model);
      assert.ok(interaction.created);
      // The gateway gives no id to what is not stored, as Google does.
      if (!isThroughGateway) assert.ok(interaction.id);
    });

    test('a stream is the interaction in pieces', async () => {
      const whole = await ai.interactions.create({ model, input: longPrompt });
      const { text, pieces, completed } = await read(await ai.interactions.create({ model, input: longPrompt, stream: true }));
      assert.equal(text, whole.output_text);
      assert.ok(pieces > 1);
      assert.equal(completed.status, 'completed');
      assert.equal(completed.usage?.total_tokens, whole.usage?.total_tokens);
    });

    stored('a stored interaction is read again, and deleted', async () => {
      const made = await ai.interactions.create({ model, input: prompt, store: true });
      const got = await ai.interactions.get(made.id, { include_input: true });
      checkInteraction(got);
      assert.equal(got.output_text, made.output_text);
      assert.ok(got.input);
      await ai.interactions.delete(made.id);
      await refused(ai.interactions.get(made.id), 404, /not_found/);
    });

    /**
     * Waits until an interaction ends that runs in the background.
     * @param {Interaction} interaction
     */
    async function poll(interaction) {
      const isRunning = () => /^(queued|in_progress)$/.test(interaction.status);
      assert.ok(isRunning(), interaction.status);
      for (let polls = 0; isRunning(); polls++) {
        assert.ok(polls < 500, 'the interaction does not end');
        await sleep(10);
        interaction = await ai.interactions.get(interaction.id);
      }
      return interaction;
    }

    stored('an interaction in the background ends by polling', async () => {
      checkInteraction(await poll(await ai.interactions.create({ model, input: prompt, background: true })));
    });

    stored('an agent ends by polling', async (t) => {
      if (isThroughGateway && !(await hasAgents(t))) return;
      const interaction = await poll(await ai.interactions.create({ agent, input: prompt, background: true }));
      checkInteraction(interaction);
      assert.equal(interaction.agent, agent);
    });

    stored('an interaction in the background is streamed', async () => {
      const { text, completed } = await read(await ai.interactions.create({ model, input: prompt, background: true, stream: true }));
      assert.ok(text);
      assert.equal((await ai.interactions.get(completed.id)).output_text, text);
    });

    stored('an interaction in the background is cancelled', async () => {
      // The fake server makes the whole answer of a run in the background at its beginning, and shows it by and by.
      const own = isThroughGateway ? await serve({ script: slow, flags: ['--store', 'memory'] }) : server;
      try {
        const { interactions } = connect(own.url);
        const { id } = await interactions.create({ model, input: isThroughGateway ? 'slowly' : prompt, background: true });
        assert.equal((await interactions.cancel(id)).status, 'cancelled');
        assert.equal((await interactions.get(id)).status, 'cancelled');
      } finally {
        if (own !== server) await own.close();
      }
    });

    stored('a stream goes on after an event', async () => {
      const whole = await read(await ai.interactions.create({ model, input: longPrompt, stream: true, store: true }));
      const rest = await read(await ai.interactions.get(whole.completed.id, { stream: true, last_event_id: whole.ids[0] }));
      assert.ok(rest.text && rest.text !== whole.text && whole.text.endsWith(rest.text), rest.text);
    });

    stored('tools are called over three turns that are stored', async () => {
      /** @type {Interaction | undefined} */
      let interaction;
      for (const choice of threeTurns) {
        /** @type {Step[] | string} */
        const input = interaction ? resultsOf(callsOf(interaction)) : question;
        interaction = await ai.interactions.create({ ...withTools(choice), store: true, input, previous_interaction_id: interaction?.id });
      }
      checkInteraction(/** @type {Interaction} */ (interaction));
    });

    stored('tools are called over three streamed turns that are stored', async () => {
      /** @type {Awaited<ReturnType<typeof read>> | undefined} */
      let turn;
      for (const choice of threeTurns) {
        if (turn) assert.ok(turn.signature);
        const input = turn ? resultsOf(turn.calls) : question;
        const events = await ai.interactions.create({ ...withTools(choice), store: true, input, previous_interaction_id: turn?.completed.id, stream: true });
        turn = await read(events);
      }
      assert.ok(turn?.text);
      assert.equal(turn.completed.status, 'completed');
    });

    test('tools are called over three turns of steps, and signatures come back', async () => {
      /** @type {Step[]} */
      const input = [{ type: 'user_input', content: [{ type: 'text', text: question }] }];
      for (const choice of threeTurns.slice(0, 2)) {
        const interaction = await ai.interactions.create({ ...withTools(choice), input, store: false });
        input.push(...(interaction.steps ?? []), ...resultsOf(callsOf(interaction)));
      }
      checkInteraction(await ai.interactions.create({ ...withTools('auto'), input, store: false }));

      const changed = structuredClone(input);
      for (const step of /** @type {{ signature?: string }[]} */ (changed)) {
        if (step.signature) step.signature = step.signature.replace(/.{8}$/, 'AAAAAAA=');
      }
      await refused(ai.interactions.create({ ...withTools('auto'), input: changed, store: false }), 400, /ignature/);
    });

    test('an unknown model and an illegal mix are refused', async () => {
      await refused(ai.interactions.create({ model: 'gemmini-9', input: prompt }), 404, /gemmini-9/);
      await refused(ai.interactions.create({ model, input: prompt, store: false, background: true }), 400, /store/);
    });
  });
}

describe('@ai-sdk/google: interactions', () => {
  /** @type {ReturnType<typeof createGoogleGenerativeAI>} */
  let google;
  before(() => {
    google = createGoogleGenerativeAI({ baseURL: `${server.url}/v1beta`, apiKey: 'any' });
  });

  const weather = tool({
    description: 'Returns the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => ({ city, degrees: 21 }),
  });
  /** @param {boolean} store */
  const threeSteps = (store) => ({
    prompt: question,
    tools: { get_weather: weather },
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    providerOptions: { google: { store } },
    /** @param {{ stepNumber: number }} step */
    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber < 2 ? /** @type {const} */ ('required') : /** @type {const} */ ('none') }),
  });

  const inBackground = { google: { background: true } };

  test('an answer is whole', async () => {
    const { text, finishReason, usage, warnings, providerMetadata } = await generateText({ model: google.interactions(model), prompt });
    assert.ok(text);
    assert.equal(finishReason, 'stop');
    assert.deepEqual(warnings ?? [], []);
    assert.ok(usage.inputTokens && usage.outputTokens);
    assert.equal(usage.inputTokens + usage.outputTokens, usage.totalTokens);
    assert.ok(isThroughGateway || providerMetadata?.google?.interactionId);
  });

  test('a stream is the answer in pieces', async () => {
    const whole = await generateText({ model: google.interactions(model), prompt: longPrompt });
    const stream = streamText({ model: google.interactions(model), prompt: longPrompt });
    const pieces = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(''), whole.text);
    assert.equal(await stream.finishReason, 'stop');
    assert.equal((await stream.usage).totalTokens, whole.usage.totalTokens);
  });

  test('tools are called over three steps', async () => {
    const { steps, text } = await generateText({ model: google.interactions(model), ...threeSteps(false) });
    assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length > 0), [true, true, false]);
    assert.ok(steps[0].toolCalls[0].providerMetadata?.google?.signature);
    assert.ok(text);
  });

  test('tools are called over three streamed steps', async () => {
    const stream = streamText({ model: google.interactions(model), ...threeSteps(false) });
    for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
    const steps = await stream.steps;
    assert.deepEqual(steps.map(({ toolCalls }) => toolCalls.length > 0), [true, true, false]);
    assert.ok(await stream.text);
  });

  test('an agent is polled until it ends', async (t) => {
    if (isThroughGateway && !(await hasAgents(t))) return;
    const { text, providerMetadata } = await generateText({ model: google.interactions({ agent }), prompt, providerOptions: inBackground });
    assert.ok(text && providerMetadata?.google?.interactionId);
  });

  test('an agent is streamed', async (t) => {
    if (isThroughGateway && !(await hasAgents(t))) return;
    const stream = streamText({ model: google.interactions({ agent }), prompt, providerOptions: inBackground });
    for await (const part of stream.fullStream) assert.notEqual(part.type, 'error', JSON.stringify(part));
    assert.ok(await stream.text);
  });

  test('an unknown model is refused', async () => {
    await assert.rejects(generateText({ model: google.interactions('gemmini-9'), prompt, maxRetries: 0 }), (error) => {
      assert.ok(APICallError.isInstance(error), String(error));
      assert.equal(error.statusCode, 404);
      assert.match(error.responseBody ?? '', /gemmini-9/);
      return true;
    });
  });
});

/**
 * Reports whether the gateway has agents in the background, and skips a test when it answers that it has not.
 * @param {import('node:test').TestContext} t
 */
async function hasAgents(t) {
  const response = await fetch(`${server.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'any' },
    body: JSON.stringify({ agent, input: prompt, background: true }),
  });
  const { error, id } = /** @type {any} */ (await response.json());
  if (error) t.skip(`the gateway has no agents: ${error.message}`);
  return Boolean(id);
}
