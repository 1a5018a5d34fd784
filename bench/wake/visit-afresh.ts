import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Visit {
  endedAt: number;
  body: string;
}

/** On a connection of its own, so that any of the edge processes may have it. */
export async function visitAfresh(url: string): Promise<Visit> {
  const { host, port } = new URL(url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
  const body = await text(answer);
  return { endedAt: performance.now(), body };
}
