import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookRequest } from '../vcs-host.ts';

export interface WebhookReceiver extends AsyncDisposable {
  received: WebhookRequest[];
  url: string;
}

/** Where a platform would take webhooks. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: WebhookRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const query = Object.fromEntries(new URL(request.url!, 'http://receiver').searchParams);
      received.push({ headers: request.headers as WebhookRequest['headers'], query, body: Buffer.concat(chunks) });
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
