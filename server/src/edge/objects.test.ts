import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestEdge, type ApiStandIn } from '../testing/start-test-edge.ts';

const head = (path: string) =>
  `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;

async function startWithObjects(handle: ApiStandIn) {
  const listener: RequestListener = (request, response) => void handle(request, response);
  const edge = await startTestEdge((_request, response) => response.end('api'));
  const server = createServer(listener).on('checkContinue', listener).listen(edge.paths.objectsSocket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return edge;
}

describe('/objects/ of the platform', () => {
  it('goes to the object store and not to the api, as it was written', async () => {
    const edge = await startWithObjects(async (request, response) => {
      response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${await text(request)}`);
    });
    const put = {
      method: 'PUT',
      path: '/objects/uploads/a.zip?sig=%2F',
      headers: { 'Content-Type': 'application/zip' },
    };
    const answer = await edge.call({ ...put, body: 'bytes' });
    expect(answer.body).toBe('PUT /objects/uploads/a.zip?sig=%2F application/zip bytes');
    for (const path of ['/objects', '/objectsx/', '/%6fbjects/a', '/api/objects/']) {
      expect((await edge.call({ path })).body).toBe('api');
    }
  });

  it('is nothing at an address that is not the platform', async () => {
    const edge = await startWithObjects((_request, response) => response.end('objects'));
    expect((await edge.call({ host: 'shop.apps.test', path: '/objects/a' })).status).toBe(404);
  });

  it('passes a large body on as it comes', async () => {
    const edge = await startWithObjects(async (request, response) => {
      let size = 0;
      for await (const chunk of request) size += (chunk as Buffer).length;
      response.end(String(size));
    });
    const answer = await edge.call({ method: 'PUT', path: '/objects/a', body: Buffer.alloc(30_000_000) });
    expect(answer.body).toBe('30000000');
  });

  it('lets the store ask for the body, or refuse before any of it is sent', async () => {
    const edge = await startWithObjects(async (request, response) => {
      if (request.url === '/objects/no') return response.writeHead(403).end('no');
      response.writeContinue();
      return response.end(await text(request));
    });
    expect(await edge.sendRaw(head('/objects/no'))).toMatch(/^HTTP\/1.1 403 /);
    const socket = edge.openRaw(head('/objects/yes'));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*hello/s);
  });
});
