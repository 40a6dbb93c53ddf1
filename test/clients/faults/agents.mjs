// The agents: which program each is, and how it is started for a prompt.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const model = 'gemini-3.6-flash';
const prompt = 'Write one.txt, and its double into two.txt.';

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What an agent is started with: its environment has PATH, and a home of its own, too.
 * @typedef {{ flags: string[], env?: Record<string, string> }} Command
 * @typedef {{ url: string, home: string, cwd: string }} Place
 */

/**
 * - pin: the folder whose package.json names the version
 * - form: the API that the agent speaks; `back` if the gateway asks a server of chat_completions
 * - program: the file that is run, by Node if it is JavaScript
 * - tool, args: its tool for commands, and the arguments for one
 * @typedef {{ name: string, package: string, version: string, pin: string, form: Form, back?: boolean, label: string, program: string, tool: string,
 *   args: (command: string) => object, start: (place: Place) => Command }} Agent
 * @typedef {'chat' | 'responses' | 'messages' | 'google'} Form
 */

/** @param {string} path @param {string} content */
function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** @param {string[]} settings @returns {Agent['start']} */
const codex = (settings) => ({ url, home }) => {
  const lines = [
    `model = "${model}"`,
    'model_provider = "gemwire"',
    '[model_providers.gemwire]',
    'name = "gemwire"',
    `base_url = "${url}/v1"`,
    'env_key = "GEMWIRE_KEY"',
    'wire_api = "responses"',
    ...settings,
  ];
  put(join(home, '.codex', 'config.toml'), `${lines.join('\n')}\n`);
  const flags = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--', prompt];
  return { flags, env: { CODEX_HOME: join(home, '.codex'), GEMWIRE_KEY: 'any' } };
};

const codexAgent = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  pin: '../codex',
  form: /** @type {const} */ ('responses'),
  program: here('../codex/node_modules/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'),
  tool: 'exec_command',
  args: (/** @type {string} */ cmd) => ({ cmd }),
};

/** @param {string} npm @param {string} path @returns {Agent['start']} */
const opencode = (npm, path) => ({ url, home, cwd }) => {
  const provider = { gemwire: { npm, options: { baseURL: url + path, apiKey: 'any' }, models: { [model]: { name: 'Gemini' } } } };
  put(join(cwd, 'opencode.json'), JSON.stringify({ provider, snapshot: false }));
  const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  return { flags: ['run', '-m', `gemwire/${model}`, prompt], env };
};

const opencodeAgent = {
  name: 'opencode',
  package: 'opencode-linux-x64-baseline',
  version: '1.18.33',
  pin: '../opencode',
  program: here('../opencode/node_modules/opencode-linux-x64-baseline/bin/opencode'),
  tool: 'bash',
  args: (/** @type {string} */ command) => ({ command, description: 'Writes a file' }),
};

const geminiCLI = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  pin: '../google',
  form: /** @type {const} */ ('google'),
  program: here('../google/node_modules/@google/gemini-cli/bundle/gemini.js'),
  tool: 'run_shell_command',
  args: (/** @type {string} */ command) => ({ command, description: 'Writes a file' }),
  /** @type {Agent['start']} */
  start({ url, home }) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
    };
    put(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const env = { GEMINI_API_KEY: 'any', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' };
    return { flags: ['--yolo', '-m', 'gemini-3.8-flash', '-p', prompt], env };
  },
};

/** @type {Agent[]} */
export const agents = [
  { ...codexAgent, label: 'Responses', start: codex([]) },
  { ...codexAgent, label: 'WebSocket', start: codex(['supports_websockets = true']) },
  { ...opencodeAgent, label: 'chat_completions', form: 'chat', start: opencode('@ai-sdk/openai-compatible', '/v1') },
  { ...opencodeAgent, label: 'Responses', form: 'responses', start: opencode('@ai-sdk/openai', '/v1') },
  { ...opencodeAgent, label: 'Messages', form: 'messages', start: opencode('@ai-sdk/anthropic', '/v1') },
  { ...opencodeAgent, label: "Google's", form: 'google', start: opencode('@ai-sdk/google', '/v1beta') },
  { ...geminiCLI, label: "Google's" },
  { ...geminiCLI, label: 'the way back', back: true },
  {
    name: "Anthropic's SDK",
    package: '@anthropic-ai/sdk',
    version: '1.12.0',
    pin: '../anthropic',
    form: 'messages',
    label: 'Messages',
    program: here('sdk.mjs'),
    tool: 'bash',
    args: (command) => ({ command }),
    start: ({ url }) => ({ flags: [prompt], env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'any', ANTHROPIC_MODEL: model } }),
  },
  {
    name: 'qwen-code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    pin: '.',
    form: 'chat',
    label: 'chat_completions',
    program: here('node_modules/@qwen-code/qwen-code/cli.js'),
    tool: 'run_shell_command',
    args: (command) => ({ command, description: 'Writes a file', is_background: false }),
    start({ url, home }) {
      const settings = { security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false }, general: { disableAutoUpdate: true } };
      put(join(home, '.qwen', 'settings.json'), JSON.stringify(settings));
      const env = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'any', OPENAI_MODEL: model };
      return { flags: ['--auth-type', 'openai', '-m', model, '--yolo', '-p', prompt], env };
    },
  },
  {
    name: 'Continue',
    package: '@continuedev/cli',
    version: '1.5.47',
    pin: '.',
    form: 'chat',
    label: 'chat_completions',
    program: here('node_modules/@continuedev/cli/dist/cn.js'),
    tool: 'Bash',
    args: (command) => ({ command }),
    start({ url, home }) {
      const one = { name: 'Gemini', provider: 'openai', model, apiBase: `${url}/v1/`, apiKey: 'any', roles: ['chat'], capabilities: ['tool_use'] };
      const file = join(home, 'config.yaml'); // JSON is YAML too
      put(file, JSON.stringify({ name: 'gemwire', version: '1.0.0', schema: 'v1', models: [one] }));
      return { flags: ['--config', file, '--auto', '-p', prompt], env: { CONTINUE_GLOBAL_DIR: join(home, '.continue'), CONTINUE_TELEMETRY_ENABLED: '0' } };
    },
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    pin: '.',
    form: 'chat',
    label: 'chat_completions',
    program: here('node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
    tool: 'bash',
    args: (command) => ({ command }),
    start({ url, home }) {
      const provider = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'any', models: [{ id: model }] };
      put(join(home, '.pi', 'agent', 'models.json'), JSON.stringify({ providers: { gemwire: provider } }));
      return { flags: ['--provider', 'gemwire', '--model', model, '--offline', '-p', prompt], env: { PI_OFFLINE: '1' } };
    },
  },
];
