// npm @openai/agents: OpenAI's agents, which speak the Responses API.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Agent, OpenAIProvider, Runner, handoff, tool, webSearchTool } from '@openai/agents';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, emptyPDF, emptyPNG, grounded, loop, slow } from './conversation.mjs';

const model = 'gemini-3.6-flash';

/** @param {import('../gateway.mjs').Gateway} gateway */
const runnerFor = (gateway) =>
  new Runner({
    modelProvider: new OpenAIProvider({ baseURL: gateway.openai, apiKey: 'any', useResponses: true }),
    tracingDisabled: true,
  });

const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async () => '{"degrees":21}',
});
const table = tool({
  name: 'book_table',
  description: 'Books a table.',
  parameters: z.object({ city: z.string(), people: z.number().int() }),
  execute: async () => '{"isBooked":true}',
});

/**
 * Runs a test against a gateway of its own.
 * @param {Parameters<typeof serve>[0]} options
 * @param {(runner: Runner, gateway: import('../gateway.mjs').Gateway) => Promise<void>} run
 */
async function through(options, run) {
  const own = await serve(options);
  try {
    await run(runnerFor(own), own);
  } finally {
    await own.close();
  }
}

const prompt = 'Why is the sky blue?';
const plain = new Agent({ name: 'Anybody', model });

describe('@openai/agents', () => {
  test('an answer is whole, and a stream the answer in pieces', () =>
    through({}, async (runner) => {
      const whole = await runner.run(plain, 'Tell me more [words 60]');
      assert.match(String(whole.finalOutput), /many words/);
      const streamed = await runner.run(plain, 'Tell me more [words 60]', { stream: true });
      const pieces = [];
      for await (const piece of streamed.toTextStream()) pieces.push(piece);
      await streamed.completed;
      assert.ok(pieces.length > 1);
      assert.equal(pieces.join(''), whole.finalOutput);
      const [{ usage }] = whole.rawResponses;
      assert.ok(usage.inputTokens > 0);
      assert.equal(usage.inputTokens + usage.outputTokens, usage.totalTokens);
    }));

  test('an answer follows the schema', () =>
    through({}, async (runner) => {
      const outputType = z.object({ title: z.string(), priority: z.enum(['low', 'high']), points: z.number().int() });
      const clerk = new Agent({ name: 'Clerk', model, outputType });
      outputType.parse((await runner.run(clerk, 'File a ticket.')).finalOutput);
    }));

  test('an image and a PDF are taken', () =>
    through({}, async (runner) => {
      const { finalOutput } = await runner.run(plain, [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is in these?' },
            { type: 'input_image', image: `data:image/png;base64,${emptyPNG}` },
            { type: 'input_file', file: `data:application/pdf;base64,${emptyPDF}`, filename: 'report.pdf' },
          ],
        },
      ]);
      for (const media of ['image/png', 'application/pdf']) assert.match(String(finalOutput), new RegExp(media));
    }));

  test('thoughts are summaries', () =>
    through({ script: { fixtures: [{ reply: [{ thought: 'The light scatters.' }, { text: 'It scatters.' }] }] } }, async (runner) => {
      const thinker = new Agent({ name: 'Thinker', model, modelSettings: { reasoning: { summary: 'auto' } } });
      const { finalOutput, newItems } = await runner.run(thinker, prompt);
      assert.equal(finalOutput, 'It scatters.');
      const [thought] = newItems.flatMap((item) => (item.type === 'reasoning_item' ? [item.rawItem] : []));
      assert.deepEqual(thought.content.map(({ text }) => text), ['The light scatters.']);
    }));

  test('a search of the web is told with its sources', () =>
    through({ script: grounded() }, async (runner) => {
      const reporter = new Agent({ name: 'Reporter', model, tools: [webSearchTool()] });
      const { finalOutput, rawResponses } = await runner.run(reporter, 'What is new?');
      assert.equal(finalOutput, 'The tower is closed.');
      assert.match(JSON.stringify(rawResponses), /https:\/\/news\.example\/tower/);
      assert.ok(rawResponses[0].output.some((item) => item.type === 'hosted_tool_call' && item.name === 'web_search_call'));
    }));

  test('a client that leaves ends the call of Gemini', () =>
    through({ script: slow() }, async (runner, { asked }) => {
      const leaving = new AbortController();
      const streamed = await runner.run(plain, 'slowly', { stream: true, signal: leaving.signal });
      for await (const piece of streamed.toTextStream()) if (piece !== '') leaving.abort();
      assert.equal((await asked(1)).length, 1);
    }));

  test('an unknown model is not found, and a stream that fails in the middle fails', async () => {
    await through({}, (runner) => assert.rejects(runner.run(new Agent({ name: 'Nobody', model: 'gemmini-9' }), prompt), /gemmini-9/));
    const script = { fixtures: [{ reply: [{ text: ['The ', 'beginning'] }, { fault: { kind: 'unavailable' } }] }] };
    await through({ script }, async (runner) => {
      const streamed = await runner.run(plain, prompt, { stream: true });
      await assert.rejects(async () => {
        for await (const _ of streamed.toTextStream());
        await streamed.completed;
      });
    });
  });

  for (const stream of [false, true]) {
    test(`a loop of three turns${stream ? ', streamed' : ''}`, async () => {
      const gateway = await serve({ script: loop() });
      try {
        const agent = new Agent({ name: 'Waiter', model, instructions: 'Book tables.', tools: [weather, table] });
        const input = 'Book a table where it is warm.';
        if (!stream) {
          assert.equal((await runnerFor(gateway).run(agent, input)).finalOutput, booked);
          return;
        }
        const result = await runnerFor(gateway).run(agent, input, { stream: true });
        let text = '';
        for await (const piece of result.toTextStream()) text += piece;
        await result.completed;
        assert.equal(text, booked);
        assert.equal(result.finalOutput, booked);
      } finally {
        await gateway.close();
      }
    });
  }

  test('an agent hands over to another', async () => {
    const script = {
      strict: true,
      fixtures: [
        { match: { turn: 0, tool: 'transfer_to_Waiter' }, reply: [{ call: { name: 'transfer_to_Waiter', args: {} }, signature: 'Zmlyc3Q/Pj8+8J+Usv//AAE=' }] },
        { match: { turn: 1, signature: 'Zmlyc3Q/Pj8+8J+Usv//AAE=' }, reply: booked },
      ],
    };
    const gateway = await serve({ script });
    try {
      const waiter = new Agent({ name: 'Waiter', model, instructions: 'Book tables.', tools: [table] });
      const host = new Agent({ name: 'Host', model, instructions: 'Send guests on.', handoffs: [handoff(waiter)] });
      const result = await runnerFor(gateway).run(host, 'Book a table.');
      assert.equal(result.finalOutput, booked);
      assert.equal(result.lastAgent?.name, 'Waiter');
    } finally {
      await gateway.close();
    }
  });
});
