import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { InstancesTarget } from '../../routing/route.ts';
import { instancesOf } from '../instances/testing/gate-rig.ts';
import { startEcho, startInstance, type Handler } from '../instances/testing/start-instance.ts';
import { APP, DOMAIN, LARGE, startSecureEdge } from './testing/start-secure-edge.ts';

const ask = (host: string, last = '') => `GET / HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`;
const HSTS = { config: { tls: { port: 7443, isPortRequired: false, hstsSeconds: 3600 } } };

const targetOf = (...instances: InstancesTarget['instances']): InstancesTarget => ({
  ...instancesOf([], { concurrency: 50 }),
  instances,
});

async function startServer(handler: Handler) {
  const instance = await startInstance('ins_1', handler);
  return startSecureEdge(null, { route: { target: targetOf(instance.address) } });
}

describe('by https', () => {
  it('a site answers, from disk and from memory, at all its names', async () => {
    const edge = await startSecureEdge();
    for (const host of [APP, DOMAIN, APP]) expect(await edge.get(host)).toMatchObject({ status: 200, body: 'home' });
    const { body } = await edge.get(APP, '/large.bin');
    expect(body.length).toBe(LARGE.length);
  });

  it('many requests go over one connection, sent ahead or not', async () => {
    const edge = await startSecureEdge((_request, response) => response.end('api'));
    for (const name of [DOMAIN, 'lilac.test']) edge.names.covered.add(name);
    const socket = await edge.shake(APP);
    socket.write(ask(APP) + ask(DOMAIN));
    socket.write(ask(APP) + ask('lilac.test') + ask(APP, 'Connection: close\r\n'));
    const answers = await text(socket);
    expect(answers.match(/home|api/g)).toEqual(['home', 'home', 'home', 'api', 'home']);
  });

  it('the api is told so', async () => {
    const edge = await startSecureEdge((request, response) => response.end(JSON.stringify(request.headers)));
    const { body } = await edge.get('lilac.test', '/', { 'x-forwarded-proto': 'http', 'x-forwarded-for': '6.6.6.6' });
    expect(JSON.parse(body)).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' });
  });

  it('instances are told so, and get bodies', async () => {
    const edge = await startServer(async (request, response) => {
      response.end([request.headers['x-forwarded-proto'], await text(request)].join(' '));
    });
    const socket = await edge.shake(DOMAIN);
    socket.write(`POST / HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody`);
    expect(await text(socket)).toMatch(/https body$/);
  });

  it('tunnels to instances are open both ways', async () => {
    const edge = await startSecureEdge(null, { route: { target: targetOf(await startEcho('ins_1')) } });
    const socket = await edge.shake(APP);
    socket.write(`GET / HTTP/1.1\r\nHost: ${APP}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toContain('101 Switching');
    socket.write('ping');
    expect(String(await once(socket, 'data'))).toBe('ping');
  });

  it('half an answer is not taken for a whole one', async () => {
    const edge = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('half', () => response.destroy());
    });
    await expect(edge.get(APP)).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('a domain that was taken away is gone at once, also on connections that are open', async () => {
    const edge = await startSecureEdge();
    const socket = await edge.shake(DOMAIN);
    const statusLine = async () => {
      socket.write(ask(DOMAIN));
      return String(await once(socket, 'data'));
    };
    expect(await statusLine()).toContain('200 OK');
    edge.publish({ domain: null });
    expect(await statusLine()).toContain('404 Not Found');
  });

  it('421 to who asks for one host by the certificate of another, which then comes again', async () => {
    const edge = await startSecureEdge((_request, response) => response.end('api'));
    for (const host of [DOMAIN, 'lilac.test']) {
      const socket = await edge.shake(APP);
      socket.write(ask(APP) + ask(host) + ask(APP, 'Connection: close\r\n'));
      const answers = await text(socket);
      expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 421', 'HTTP/1.1 200']);
      const session = await edge.session(APP);
      expect(await session.call({ ':authority': host })).toMatchObject({ status: 421 });
      expect((await session.get()).status).toBe(200);
    }
    const trusted = await startSecureEdge(null, { trustedProxies: ['127.0.0.1'] });
    const proxy = await trusted.session(APP);
    expect(await proxy.call({ ':authority': DOMAIN })).toMatchObject({ status: 200, body: 'home' });
    const nameless = await edge.shake('', { checkServerIdentity: () => undefined });
    nameless.write(ask(APP, 'Connection: close\r\n'));
    expect(await text(nameless)).toContain('200 OK');
  });

  it('421 to a tunnel that is asked for by the certificate of another', async () => {
    const edge = await startSecureEdge(null, { route: { target: targetOf(await startEcho('ins_1')) } });
    const socket = await edge.shake(DOMAIN);
    socket.write(`GET / HTTP/1.1\r\nHost: ${APP}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toContain('421 Misdirected Request');
  });

  it('an edge that stops finishes what is under way', async () => {
    const edge = await startSecureEdge();
    const socket = await edge.shake(APP);
    socket.pause();
    socket.write(`GET /large.bin HTTP/1.1\r\nHost: ${APP}\r\n\r\n`);
    await once(socket, 'readable');
    const stopped = edge.stop(5000);
    expect((await text(socket)).length).toBeGreaterThan(LARGE.length);
    await stopped;
    await expect(edge.get(APP)).rejects.toThrow('ECONNREFUSED');
  });
});

describe('who comes by http', () => {
  const secure = { config: { publicUrl: new URL('https://lilac.test') } };

  it('to a domain with a public certificate is sent to https', async () => {
    const edge = await startSecureEdge();
    expect((await edge.call({ host: DOMAIN })).status).toBe(200);
    edge.names.publicNames.add(DOMAIN);
    const moved = await edge.call({ host: `${DOMAIN}:7080`, path: '/a?b=c', method: 'POST', body: 'x' });
    expect(moved).toMatchObject({ status: 308, headers: { location: `https://${DOMAIN}:7443/a?b=c` } });
    const { status, body } = await edge.get(DOMAIN);
    expect({ status, body }).toEqual({ status: 200, body: 'home' });
  });

  it('to names of the platform is sent on only where its own address is https', async () => {
    for (const [config, status] of [
      [{}, 200],
      [secure, 308],
    ] as const) {
      const edge = await startSecureEdge((_request, response) => response.end('api'), config);
      for (const name of ['lilac.test', APP]) edge.names.publicNames.add(name);
      expect((await edge.call({ host: APP })).status).toBe(status);
      expect((await edge.call({ host: 'lilac.test' })).status).toBe(status);
      expect((await edge.call({ host: 'lilac.test:7080' })).status).toBe(status);
      // Who asks by an address would not believe the certificate.
      expect((await edge.call({ host: '127.0.0.1' })).status).toBe(200);
    }
  });

  it('is not sent on by a name without such a certificate, from a proxy that was asked by https, or from our own check', async () => {
    const edge = await startSecureEdge(null, secure);
    expect((await edge.call({ host: APP })).status).toBe(200);
    edge.names.publicNames.add(APP).add(DOMAIN);
    for (const host of [APP, DOMAIN]) {
      expect((await edge.call({ host, headers: { 'X-Forwarded-Proto': 'https' } })).status).toBe(200);
      expect((await edge.call({ host, headers: { 'X-Lilac-Probe': 'token' } })).status).toBe(200);
      expect((await edge.call({ host })).headers.location).toBe(`https://${host}/`);
    }
  });

  it('to ask for a challenge reaches the api at any host, by https too, and never an application', async () => {
    const instance = await startInstance('ins_1');
    for (const route of [{}, { target: targetOf(instance.address) }]) {
      const edge = await startSecureEdge((request, response) => response.end(`${request.headers.host}${request.url}`), {
        route,
      });
      edge.names.publicNames.add(DOMAIN);
      const path = '/.well-known/acme-challenge/token';
      for (const host of [DOMAIN, APP, 'unknown.example', 'nobody.apps.test', 'lilac.test']) {
        expect((await edge.call({ host, path })).body).toBe(host + path);
        expect((await edge.call({ host, path, method: 'POST', body: 'x' })).body).toBe(host + path);
      }
      for (const host of [DOMAIN, APP]) {
        expect((await edge.get(host, path)).body).toBe(host + path);
        expect((await (await edge.session(host)).get(path)).body).toBe(host + path);
      }
      expect(instance.requests).toBe(0);
    }
  });

  it('is not sent on in circles by the last of several proxies', async () => {
    const edge = await startSecureEdge((_request, response) => response.end('api'), secure);
    edge.names.publicNames.add(APP).add('lilac.test');
    for (const host of [APP, 'lilac.test']) {
      const statusOf = async (said: string) =>
        (await edge.call({ host, headers: { 'X-Forwarded-Proto': said } })).status;
      expect([await statusOf('https, http'), await statusOf('HTTPS'), await statusOf('http, https')]).toEqual([
        200, 200, 308,
      ]);
    }
  });
});

describe('browsers are told to come by https only', () => {
  const told = 'strict-transport-security';

  it('where that is switched on and the certificate is a public one', async () => {
    const edge = await startSecureEdge((_request, response) => response.end('api'), HSTS);
    for (const name of [DOMAIN, 'lilac.test']) edge.names.publicNames.add(name);
    for (const host of [DOMAIN, 'lilac.test']) {
      expect((await edge.get(host)).headers[told]).toBe('max-age=3600');
      const session = await edge.session(host);
      expect((await session.get()).headers[told]).toBe('max-age=3600');
    }
    expect((await edge.get(APP)).headers[told]).toBeUndefined();
    expect((await (await edge.session(APP)).get()).headers[told]).toBeUndefined();
    expect((await edge.call({ host: 'lilac.test' })).headers[told]).toBeUndefined();
  });

  it('and nowhere else', async () => {
    const edge = await startSecureEdge();
    edge.names.publicNames.add(DOMAIN);
    expect((await edge.get(DOMAIN)).headers[told]).toBeUndefined();
  });

  it('after what an application says of it itself, which counts', async () => {
    const instance = await startInstance('ins_1', (_request, response) => {
      response.setHeader('Strict-Transport-Security', 'max-age=5').end();
    });
    const edge = await startSecureEdge(null, { ...HSTS, route: { target: targetOf(instance.address) } });
    edge.names.publicNames.add(DOMAIN);
    expect((await edge.get(DOMAIN)).headers[told]).toMatch(/^max-age=5\b/);
    expect((await (await edge.session(DOMAIN)).get()).headers[told]).toBe('max-age=5');
  });
});
