// A small agent with Anthropic's SDK: the SDK runs the loop of tools and tries again, as it does in Claude Code.

import { spawnSync } from 'node:child_process';

const { default: Anthropic } = await import(new URL('../anthropic/node_modules/@anthropic-ai/sdk/index.mjs', import.meta.url).href);

const bash = {
  type: 'custom',
  name: 'bash',
  description: 'Runs a command in a shell.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  parse: (/** @type {unknown} */ input) => input,
  run: (/** @type {{ command: string }} */ { command }) => String(spawnSync('sh', ['-c', command]).stdout) || 'done',
};

const turns = new Anthropic().beta.messages.toolRunner({
  model: process.env.ANTHROPIC_MODEL,
  max_tokens: 4096,
  messages: [{ role: 'user', content: process.argv[2] }],
  tools: [bash],
  stream: true,
});
for await (const turn of turns) {
  for (const { type, text } of (await turn.finalMessage()).content) if (type === 'text') console.log(text);
}
