// What the tests of npm @google/genai share: clients of both services, and what is expected of answers.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, GoogleGenAI } from '@google/genai';
import { OAuth2Client } from 'google-auth-library';

/** @typedef {import('@google/genai').GenerateContentResponse} Response */

export const model = 'gemini-3.6-flash';
export const prompt = 'Why is the sky blue?';

/**
 * A client of each service, by what the service is called.
 * @type {Record<string, (baseUrl: string) => GoogleGenAI>}
 */
export const services = { 'the Gemini API': geminiAPI, 'Vertex AI': vertexAI };

/** @param {string} baseUrl */
export function geminiAPI(baseUrl, apiKey = 'any') {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
}

/** @param {string} baseUrl */
function vertexAI(baseUrl) {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'ya29.none', expiry_date: Date.now() + 3_600_000 });
  return new GoogleGenAI({ vertexai: true, project: 'acme', location: 'europe-west4', googleAuthOptions: { authClient }, httpOptions: { baseUrl } });
}

/** @param {Response} answer */
export function checkAnswer({ text, candidates, usageMetadata, modelVersion, responseId }) {
  assert.ok(text);
  assert.equal(candidates?.[0].finishReason, 'STOP');
  assert.ok(modelVersion && responseId);
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0, totalTokenCount } = usageMetadata ?? {};
  assert.ok(promptTokenCount > 0 && candidatesTokenCount > 0);
  assert.equal(promptTokenCount + candidatesTokenCount + thoughtsTokenCount, totalTokenCount);
}

/**
 * Asks until a condition holds.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(answer: T) => boolean} done
 */
export async function until(ask, done) {
  for (let i = 0; i < 500; i++) {
    const answer = await ask();
    if (done(answer)) return answer;
    await sleep(20);
  }
  throw new Error('waited in vain');
}

/**
 * Sees that the server refuses in a given way.
 * @param {Promise<unknown>} call
 * @param {number} status
 * @param {RegExp} message
 */
export async function refused(call, status, message) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, status, error.message);
    assert.match(error.message, message);
    return true;
  });
}
