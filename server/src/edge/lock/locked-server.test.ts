import { describe, expect, it } from 'vitest';
import { startInstance } from '../instances/testing/start-instance.ts';
import { host, startServedEdge } from '../instances/testing/start-served-edge.ts';
import { unlockMac } from '../../routing/unlock-mac.ts';

describe('a server with a password', () => {
  const lock = { key: Buffer.alloc(32, 1).toString('base64url') };
  const expiry = Math.floor(Date.now() / 1000) + 600;
  const cookie = `lilac_unlock=${expiry}.${unlockMac(lock, 'env_1', expiry)}`;

  it.each(['GET', 'POST', 'DELETE'])('401 to a %s without the cookie, and the server hears nothing', async (method) => {
    const edge = await startServedEdge();
    const instance = await startInstance('a');
    edge.publish([instance.address], { lock });
    const body = method === 'GET' ? {} : { body: 'x'.repeat(100_000) };
    const refused = await edge.call({ method, host, ...body });
    expect(refused).toMatchObject({ status: 401, headers: { 'x-lilac-error': 'CA012' } });
    expect(instance.requests).toBe(0);
    const served = await edge.call({ method, host, headers: { Cookie: cookie }, ...body });
    expect(served).toMatchObject({ status: 200, body: 'a' });
  });

  it('is opened by its form', async () => {
    const edge = await startServedEdge({}, (_request, response) => {
      response.writeHead(200, { 'Set-Cookie': cookie }).end('{"unlocked":true}');
    });
    const { address } = await startInstance('a');
    edge.publish([address], { lock });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await edge.call({
      method: 'POST',
      path: '/.lilac/unlock',
      host,
      headers,
      body: 'password=p&next=/x',
    });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/x', 'set-cookie': [cookie] } });
    expect((await edge.get('/x', { Cookie: cookie })).body).toBe('a');
  });

  it('answers nothing that caches may give to others, and without a password just what it wants', async () => {
    const edge = await startServedEdge();
    const own = { 'cache-control': 'public, max-age=60', expires: 'Thu, 01 Jan 2099 00:00:00 GMT' };
    const further = { 'surrogate-control': 'max-age=60', 'cdn-cache-control': 'max-age=60', etag: '"x"' };
    const { address } = await startInstance('a', (request, response) => {
      response.writeHead(200, { ...own, ...further }).write('a');
      response.end(request.method);
    });
    edge.publish([address], { lock });
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers } = await edge.call({ method, host, headers: { Cookie: cookie } });
      expect({ status, ...headers }).toMatchObject({ status: 200, 'cache-control': 'private, no-cache', etag: '"x"' });
      for (const name of ['expires', 'surrogate-control', 'cdn-cache-control']) expect(headers[name]).toBeUndefined();
    }
    edge.publish([address]);
    expect((await edge.get()).headers).toMatchObject({ ...own, ...further });
  });

  it('opens no tunnel without the cookie', async () => {
    const edge = await startServedEdge();
    const instance = await startInstance('a');
    edge.publish([instance.address], { lock });
    const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(await edge.sendRaw(head)).toMatch(/^HTTP\/1.1 401 /);
    expect(instance.requests).toBe(0);
  });
});
