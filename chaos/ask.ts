import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Question {
  /** Names below localhost are not resolved everywhere, so the address is named apart from the host. */
  url: string;
  /** Left out, it goes to the public port. */
  socketPath?: string;
  patienceMs?: number;
}

/** Longer than an edge holds a request for one who sleeps. */
const PATIENCE_MS = 90_000;

/** The status and the beginning of the body, on a connection of its own. */
export function ask({ url, socketPath, patienceMs = PATIENCE_MS }: Question): Promise<string> {
  const { host, port } = new URL(url);
  const way = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
  return new Promise((resolve, reject) => {
    const asked = request({ ...way, path: '/', headers: { host }, agent: false, timeout: patienceMs }, (answer) => {
      text(answer).then((body) => resolve(`${answer.statusCode} ${body.slice(0, 120)}`), reject);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', reject);
    asked.end();
  });
}
