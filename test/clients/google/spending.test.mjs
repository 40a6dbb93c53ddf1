// npm @google/genai through a gateway: budgets of the native API.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@google/genai';
import { budget, period, serveKeys, usedUp, useUp } from '../spending.mjs';
import { geminiAPI, model } from './genai.mjs';

/** @typedef {import('@google/genai').GoogleGenAI} GoogleGenAI */
/** @typedef {import('@google/genai').GenerateContentResponse} Response */

const limit = ['--token-budget', `${budget}/${period}`];
const request = { model, contents: 'Why is the sky blue?', config: { maxOutputTokens: 16 } };

/** @param {Response | undefined} answer */
const warningOf = (answer) => answer?.sdkHttpResponse?.headers?.['x-gemwire-budget-warning'];

describe('@google/genai: budgets', () => {
  /** @type {Awaited<ReturnType<typeof serveKeys>>} */
  let server;
  before(async () => {
    server = await serveKeys({ whole: limit, stream: limit });
  });
  after(() => server.gateway.close());

  /** @type {Record<string, (ai: GoogleGenAI) => Promise<string | undefined>>} */
  const ways = {
    whole: async (ai) => warningOf(await ai.models.generateContent(request)),
    async stream(ai) {
      /** @type {Response | undefined} */
      let first;
      for await (const chunk of await ai.models.generateContentStream(request)) first ??= chunk;
      return warningOf(first);
    },
  };
  for (const [name, call] of Object.entries(ways)) {
    test(`${name}: a used-up budget is RESOURCE_EXHAUSTED`, async () => {
      const { error } = await useUp(() => call(geminiAPI(server.gateway.url, server.keys[name])));
      assert.ok(error instanceof ApiError, String(error));
      assert.equal(error.status, 429);
      const { error: reported } = JSON.parse(error.message);
      assert.equal(reported.code, 429);
      assert.equal(reported.status, 'RESOURCE_EXHAUSTED');
      assert.match(reported.message, usedUp);
    });
  }
});
