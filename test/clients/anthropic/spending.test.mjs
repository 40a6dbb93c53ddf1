// npm @anthropic-ai/sdk, both versions: budgets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic, { RateLimitError } from '@anthropic-ai/sdk';
import Anthropic0, { RateLimitError as RateLimitError0 } from 'anthropic-sdk-0';
import { budget, period, serveKeys, usedUp, useUp } from '../spending.mjs';

const limit = ['--token-budget', `${budget}/${period}`];
/** @type {import('@anthropic-ai/sdk/resources/messages').MessageCreateParamsNonStreaming} */
const request = { model: 'gemini-3.6-flash', max_tokens: 16, messages: [{ role: 'user', content: 'Why is the sky blue?' }] };

/** @type {Record<string, [typeof Anthropic, typeof RateLimitError]>} */
const versions = { new: [Anthropic, RateLimitError], old: /** @type {any} */ ([Anthropic0, RateLimitError0]) };

describe('@anthropic-ai/sdk: budgets', () => {
  /** @type {Awaited<ReturnType<typeof serveKeys>>} */
  let server;
  before(async () => {
    server = await serveKeys({ new_whole: limit, new_stream: limit, old_whole: limit, old_stream: limit });
  });
  after(() => server.gateway.close());

  for (const [version, [Client, expected]] of Object.entries(versions)) {
    /** @type {Record<string, (client: Anthropic) => Promise<string | null>>} */
    const ways = {
      async whole(client) {
        const { response } = await client.messages.create(request).withResponse();
        return response.headers.get('x-gemwire-budget-warning');
      },
      async stream(client) {
        const { data, response } = await client.messages.create({ ...request, stream: true }).withResponse();
        for await (const event of data) assert.ok(event.type);
        return response.headers.get('x-gemwire-budget-warning');
      },
    };
    for (const [way, call] of Object.entries(ways)) {
      test(`${version}, ${way}: a used-up budget is a rate limit error, which the client does not retry`, async () => {
        const client = new Client({ baseURL: server.gateway.url, apiKey: server.keys[`${version}_${way}`], maxRetries: 2 });
        const { error } = await useUp(() => call(client));
        assert.ok(error instanceof expected, String(error));
        assert.equal(error.status, 429);
        const { type, error: reported } = /** @type {any} */ (error.error);
        assert.equal(`${type} ${reported.type}`, 'error rate_limit_error');
        assert.match(error.message, usedUp);
        assert.match(String(error.headers?.get('x-gemwire-budget-reset')), /^20\d\d-\d\d-\d\dT00:00:00Z$/);
        assert.equal(error.headers?.get('x-should-retry'), 'false');
      });
    }
  }
});
