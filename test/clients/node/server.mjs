// An endpoint of OpenAI's API on the loopback interface that plays back what it was given.

import { createServer } from 'node:http';

/**
 * One answer in both forms. A stream that ends in an error has no completion.
 * @typedef {{ stream: Buffer | string, completion?: Buffer | string }} Recorded
 */

/** Starts a server and returns it. The caller closes it. */
export async function startServer() {
  /** @type {Map<string, Recorded>} */
  const answers = new Map();
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const body = [];
    request.on('data', (piece) => body.push(piece));
    request.on('end', () => {
      const answer = answers.get(request.url ?? '');
      const { stream } = JSON.parse(Buffer.concat(body).toString());
      if (!answer || request.method !== 'POST') {
        response.writeHead(404).end();
      } else if (stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer.stream);
      } else {
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer.completion);
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    /**
     * Returns the base URL under which a client gets an answer.
     * @param {Recorded} answer
     */
    play(answer) {
      const path = `/${answers.size / 2}`;
      answers.set(`${path}/chat/completions`, answer);
      answers.set(`${path}/responses`, answer);
      return `http://127.0.0.1:${port}${path}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
