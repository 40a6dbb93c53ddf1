// The page of gemwire serve --inspect, with the server that is built in as Gemini.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { visit } from './fake.mjs';
import { serve } from './gateway.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/**
 * Starts the gateway and opens its inspector.
 * @param {import('node:test').TestContext} t
 * @param {...string} flags
 */
async function gateway(t, ...flags) {
  const { link, ask } = await serve(t, { flags });
  return { page: await visit(t, browser, link), ask };
}

test('a request to the gateway shows up with what it lost, and is replayed', async (t) => {
  const { page, ask } = await gateway(t);
  const messages = [{ role: 'user', name: 'ada', content: 'How is the weather in Porto?' }];
  assert.equal((await ask({ model: 'gemini-3.6-flash', messages, logit_bias: { 5: 1 } })).status, 200);
  await page.getByRole('row', { name: /2 lost/ }).click();
  await page.getByText('2 fields of this request were not sent to Gemini.').waitFor();
  await page.getByRole('button', { name: /\/messages\/0\/name/ }).click();
  assert.match(await page.locator('.pane').nth(1).locator('.selected').first().innerText(), /How is the weather in Porto\?/);

  await page.getByRole('button', { name: 'Replay…' }).click();
  const body = page.getByLabel('Body of the request');
  await body.fill((await body.inputValue()).replace('Porto', 'Faro'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.pane').first().getByText(/weather in Faro/).waitFor();
  await page.getByRole('link', { name: '#1', exact: true }).waitFor();
});

test('a stream of the gateway has its chunks and signatures', async (t) => {
  const { page, ask } = await gateway(t);
  const { text } = await ask({ model: 'gemini-3.6-flash', stream: true, messages: [{ role: 'user', content: 'Tell me of a train.' }] });
  await page.locator('.spacer .row').click();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const sent = text.split('\n').filter((line) => line.startsWith('data: {')).length;
  assert.equal(await page.locator('tr.from-client', { hasText: /chunk \d/ }).filter({ hasNotText: '[DONE]' }).count(), sent);
  await page.getByRole('tab', { name: /Signatures \(\d+\)/ }).click();
  await page.getByRole('row', { name: /Gemini → client/ }).first().waitFor();
});

test('the page says that the fake server answered, and what a request says', async (t) => {
  const { page, ask } = await gateway(t);
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }];
  await ask({ model: 'gemini-3.6-flash', tool_choice: 'required', tools, messages: [{ role: 'user', name: 'ada', content: 'How is the weather?' }] });
  await page.locator('.spacer .row').click();
  await page.getByText('Sent to the fake server', { exact: true }).waitFor();
  assert.match(await page.locator('.facts').innerText(), /Answered by\s+the fake server/);
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByText('The fake server’s response', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const said = await page.locator('tr.from-client').first().innerText();
  assert.ok(said.includes('How is the weather?') && !said.includes('ada()'), said);
  assert.match(await page.locator('tr.from-client').last().innerText(), /get_weather\(\)/);
});

// Whose API the client speaks is said everywhere on the page; chat_completions is in the tests before.
for (const { path, name, body } of [
  { path: '/v1/responses', name: 'OpenAI', body: { input: 'How is the weather?', max_tool_calls: 3 } },
  { path: '/v1/messages', name: 'Anthropic', body: { max_tokens: 200, messages: [{ role: 'user', content: 'How is the weather?' }], mood: 1 } },
]) {
  test(`${path} is shown beside Gemini, by the name of its vendor`, async (t) => {
    const { page, ask } = await gateway(t);
    assert.equal((await ask({ model: 'gemini-3.6-flash', stream: true, ...body }, path)).status, 200);
    await page.locator('.spacer .row').click();
    await page.getByText(`Request: ${name} → Gemini`).waitFor();
    await page.getByRole('region', { name: `${name}: Client request` }).getByText('How is the weather?').first().waitFor();
    await page.getByRole('button', { name: `Copy curl (${name})` }).waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    assert.ok(await page.locator('.lane', { hasText: name }).isVisible());
    assert.ok((await page.locator('tr.from-client', { hasText: name }).filter({ hasText: 'said:' }).count()) > 0);
    await page.getByRole('tab', { name: /Signatures \(\d+\)/ }).click();
    await page.getByRole('row', { name: /Gemini → client/ }).first().waitFor();
    assert.equal(await page.getByRole('cell', { name: '', exact: true }).count(), 0); // each way to travel has its words
  });
}

/**
 * Starts a server of chat_completions, and returns its address.
 * @param {import('node:test').TestContext} t
 */
async function chatServer(t) {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({
      id: 'c1', object: 'chat.completion', created: 1700000000, model: 'gpt-5.1', system_fingerprint: 'fp',
      choices: [{ index: 0, message: { role: 'assistant', content: 'It is sunny in Porto.', refusal: null }, logprobs: null, finish_reason: 'stop' }],
    }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}

test('before a server of chat_completions that itself is shown, and what the way there lost', async (t) => {
  const { page, ask } = await gateway(t, '--upstream', 'openai', '--base-url', await chatServer(t));
  const contents = [{ role: 'user', parts: [{ text: 'How is the weather in Porto?' }] }];
  assert.equal((await ask({ contents, generationConfig: { topK: 3 } }, '/v1beta/models/gpt-5.1:generateContent')).status, 200);
  await page.getByRole('row', { name: /2 lost/ }).click();
  await page.getByText('1 field of this request was not sent to chat_completions, 1 field of the response was not passed to the client.').waitFor();
  assert.equal(await page.getByText('Passed through').count(), 0);
  assert.equal(await page.locator('.pane').count(), 2);
  await page.getByRole('region', { name: 'chat_completions: Sent to chat_completions' }).getByText('"messages"').waitFor();
  await page.getByRole('button', { name: /\/generationConfig\/topK/ }).click();
  await page.getByText('chat_completions has no field for /generationConfig/topK.').waitFor();
  await page.getByRole('button', { name: 'Copy curl (chat_completions)' }).waitFor();
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.getByRole('region', { name: 'chat_completions: chat_completions’s response' }).getByText('It is sunny in Porto.').waitFor();

  // A client with a form of its own has Gemini's between the two.
  assert.equal((await ask({ model: 'gpt-5.1', max_tokens: 90, messages: [{ role: 'user', content: 'How is the weather?' }] }, '/v1/messages')).status, 200);
  await page.getByRole('row', { name: /1 lost/ }).click();
  await page.getByRole('region', { name: 'Gemini: intermediate Gemini form' }).getByText('"contents"').waitFor();
  await page.getByRole('region', { name: 'chat_completions: Sent to chat_completions' }).getByText('"max_completion_tokens"').waitFor();
  assert.equal(await page.locator('.pane').count(), 3);
});

test('a refusal is told in one way, with a link only to a value', async (t) => {
  const { page, ask } = await gateway(t);
  await ask({ model: 'gemini-3.6-flash', temprature: 1, messages: [{ role: 'user', content: 'hi' }] });
  await page.locator('.spacer .row').click();
  await page.getByText('Rejected by the gateway; nothing was sent to Gemini.').waitFor();
  await page.getByRole('button', { name: 'Show /temprature' }).waitFor();
});

test('a path that is not served has no link to a value', async (t) => {
  const { page, ask } = await gateway(t);
  await ask({ messages: [] }, '/v1/nothing');
  await page.locator('.spacer .row').click();
  await page.getByText('this gateway does not serve POST /v1/nothing').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Show/ }).count(), 0);
});
