// npm @openai/agents: OpenAI's agents, which speak the Responses API.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Agent, OpenAIProvider, Runner, handoff, tool } from '@openai/agents';
import { z } from 'zod';
import { serve } from '../gateway.mjs';
import { booked, loop } from './conversation.mjs';

const model = 'gemini-3.5-flash';

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

describe('@openai/agents', () => {
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
