// gemwire emulate, one of its own for a test that wants flags. With GEMWIRE_THROUGH_GATEWAY clients reach it through
// gemwire serve.

import { serve } from '../gateway.mjs';
import { gemwire, start, write } from '../command.mjs';

/**
 * Starts the command.
 * @param {{ key?: string, script?: string }} [options] the only valid key, and the text of a script
 * @returns {Promise<{ url: string, close: () => Promise<unknown> }>}
 */
export function emulate({ key, script } = {}) {
  if (process.env.GEMWIRE_THROUGH_GATEWAY) return serve({ key, script, flags: key || script ? ['--callers-key'] : [] });
  const flags = ['emulate', '--addr', '127.0.0.1:0'];
  if (key) flags.push('--key', key);
  if (script) flags.push('--script', write('script.yaml', script));
  return start(gemwire(), flags);
}
