import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request as startRequest, Agent, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { eventually } from '../../testing/eventually.ts';
import { openFiles } from '../testing/open-files.ts';
import { writeRelease, type ReleaseOptions } from '../testing/write-release.ts';

const LARGE = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
const HOST = 'Host: shop.apps.test\r\n';
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const toApi = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const last = 'Connection: close\r\n';

/** An edge with one application that was released. */
async function startWithRelease(
  release: Partial<ReleaseOptions> = {},
  api: Parameters<typeof startTestEdge>[0] = null,
) {
  const edge = await startTestEdge(api);
  const files = { '/index.html': 'home', '/about.html': 'about', '/large.bin': { content: LARGE }, ...release.files };
  const manifest = writeRelease(edge.paths.objects, { ...release, files });
  const target = { kind: 'static' as const, artifactId: manifest.artifactId, deploymentId: 'dep_1', revision: 1 };
  edge.routes.replaceAll([
    {
      environmentId: 'env_1',
      subdomain: 'shop',
      target,
      lock: null,
      accessLog: false,
      domain: null,
      atSubdomain: true,
      version: 1,
    },
    {
      environmentId: 'env_2',
      subdomain: 'new',
      target: null,
      lock: null,
      accessLog: false,
      domain: null,
      atSubdomain: true,
      version: 2,
    },
    {
      environmentId: 'env_3',
      subdomain: 'broken',
      target: { ...target, artifactId: 'art_gone' },
      lock: null,
      accessLog: false,
      domain: null,
      atSubdomain: true,
      version: 3,
    },
  ]);
  return { ...edge, manifest };
}

describe('a released site', () => {
  it('answers from disk, and then from memory', async () => {
    const edge = await startWithRelease();
    for (let round = 0; round < 3; round++) {
      const answer = await edge.call({ host: 'shop.apps.test', path: '/about' });
      expect(answer).toMatchObject({ status: 200, body: 'about', headers: { 'content-length': '5' } });
      expect(Date.parse(answer.headers.date ?? '')).toBeGreaterThan(Date.now() - 60_000);
    }
    rmSync(join(edge.paths.objects, 'blobs'), { recursive: true });
    expect((await edge.call({ host: 'shop.apps.test', path: '/about' })).body).toBe('about');
  });

  it('streams large files and parts of them', async () => {
    const edge = await startWithRelease();
    const whole = await edge.sendRaw(get('/large.bin', last));
    expect(whole.length).toBeGreaterThan(LARGE.length);
    const answer = await edge.open({
      host: 'shop.apps.test',
      path: '/large.bin',
      headers: { Range: 'bytes=1000-2000999' },
    });
    expect(answer.statusCode).toBe(206);
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    expect(Buffer.concat(parts).equals(LARGE.subarray(1000, 2_001_000))).toBe(true);
  });

  it('answers HEAD with the same head, and no body', async () => {
    const edge = await startWithRelease();
    for (const path of ['/', '/large.bin', '/nothing']) {
      const [whole, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => edge.sendRaw(`${method} ${path} HTTP/1.1\r\n${HOST}${last}\r\n`)),
      );
      expect(headOf(whole!)).toBe(headOf(head!));
      expect(head!.endsWith('\r\n\r\n')).toBe(true);
    }
  });

  it('chooses the compressed form, which decodes to the file', async () => {
    const content = 'lilac '.repeat(1000);
    const edge = await startWithRelease({ files: { '/index.html': { content, isCompressed: true } } });
    const coded = await edge.call({ host: 'shop.apps.test', headers: { 'Accept-Encoding': 'br, gzip' } });
    expect(coded.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    const answer = await edge.open({ host: 'shop.apps.test', headers: { 'Accept-Encoding': 'gzip' } });
    expect(await text(answer.pipe(createGunzip()))).toBe(content);
  });
});

describe('an application that cannot be served', () => {
  it('404 with a clean page when nothing was deployed', async () => {
    const edge = await startWithRelease();
    const answer = await edge.call({ host: 'new.apps.test', headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('Nothing is deployed here yet');
  });

  it('503 when its release cannot be read, and 404 when there is none', async () => {
    const edge = await startWithRelease();
    expect(await edge.call({ host: 'broken.apps.test' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    });
    expect((await edge.call({ host: 'nobody.apps.test' })).status).toBe(404);
  });

  it.each(['/about', '/large.bin'])('503 when the file of %s is gone, and the connection goes on', async (path) => {
    const edge = await startWithRelease();
    for (const { hash } of Object.values(edge.manifest.files)) rmSync(join(edge.paths.objects, blobKey(hash)));
    const answer = await edge.sendRaw(get(path) + get('/nothing', last));
    expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*HTTP\/1.1 404 /);
  });

  it('503 as long as the routes were never read', async () => {
    const edge = await startTestEdge(null, { areRoutesKnown: false });
    expect((await edge.call({ host: 'shop.apps.test' })).status).toBe(503);
  });
});

describe('a connection', () => {
  it('is answered in the order of its requests, however they are cut', async () => {
    const edge = await startWithRelease();
    const bytes = get('/') + get('/large.bin', 'Range: bytes=0-299999\r\n') + get('/about') + get('/nothing', last);
    for (const size of [bytes.length, 7]) {
      const socket = edge.openRaw('');
      const answer = text(socket.setEncoding('latin1'));
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.slice(at, at + size));
        if (size < bytes.length) await new Promise(setImmediate);
      }
      expect((await answer).match(/HTTP\/1.1 \d+/g)).toEqual(
        [200, 206, 200, 404].map((status) => `HTTP/1.1 ${status}`),
      );
    }
  });

  it('may carry requests for the api and for applications, in any order', async () => {
    const edge = await startWithRelease({}, (request, response) => response.end(`api ${request.url}`));
    const bytes =
      get('/') + toApi('/one') + get('/about') + toApi('/two') + get('/large.bin', `Range: bytes=-4\r\n${last}`);
    const answer = await edge.sendRaw(bytes);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toHaveLength(5);
    expect(answer).toMatch(/home[\s\S]*api \/one[\s\S]*about[\s\S]*api \/two[\s\S]*206/);
  });

  it('that the HTTP server has gets the same answers', async () => {
    const edge = await startWithRelease({
      headers: [
        {
          path: '/*',
          headers: [
            ['X-A', '1'],
            ['Set-Cookie', 'a'],
            ['Set-Cookie', 'b'],
          ],
        },
      ],
    });
    const elsewhere = 'OPTIONS / HTTP/1.1\r\nHost: nobody.apps.test\r\n\r\n';
    for (const request of [
      get('/', last),
      get('/about', `If-None-Match: *\r\n${last}`),
      get('/large.bin', `Range: bytes=5-9\r\n${last}`),
      get('/large.bin', `Range: bytes=5-400000\r\n${last}`),
      get('/nothing', last),
      get('/%zz', last),
    ]) {
      const [direct, handedOver] = await Promise.all([edge.sendRaw(request), edge.sendRaw(elsewhere + request)]);
      const second = handedOver.slice(handedOver.indexOf('HTTP/1.1', 10));
      expect(linesOf(second)).toEqual(linesOf(direct));
    }
  });

  it('is told what a static site does not do', async () => {
    const edge = await startWithRelease();
    const post = `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`;
    expect(await edge.sendRaw(post + get('/', last))).toMatch(
      /^HTTP\/1.1 405 [\s\S]*Allow: GET, HEAD, OPTIONS[\s\S]*home$/,
    );
    expect(await edge.sendRaw(`OPTIONS * HTTP/1.1\r\n${HOST}${last}\r\n`)).toMatch(/^HTTP\/1.1 204 /);
    expect(await edge.sendRaw(`GET http://shop.apps.test/about HTTP/1.1\r\nHost: x\r\n${last}\r\n`)).toMatch(/about$/);
  });

  it('of HTTP/1.0 is closed after the answer, unless it asks otherwise', async () => {
    const edge = await startWithRelease();
    expect(await edge.sendRaw(`GET / HTTP/1.0\r\n${HOST}\r\n`)).toMatch(/Connection: close\r\n\r\nhome$/);
    const kept = await edge.sendRaw(`GET / HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n${get('/about', last)}`);
    expect(kept).toMatch(/Connection: keep-alive[\s\S]*about$/);
  });

  it('is answered when the client has said all it will say', async () => {
    const edge = await startWithRelease();
    const socket = edge.openRaw('');
    socket.end(get('/large.bin'));
    expect((await text(socket.setEncoding('latin1'))).length).toBeGreaterThan(LARGE.length);
  });

  it('is closed on nonsense, after the answers to what came before', async () => {
    const edge = await startWithRelease();
    expect(await edge.sendRaw(`${get('/')}nonsense\r\n\r\n`)).toMatch(/home[\s\S]*HTTP\/1.1 400 [\s\S]*"VA001"\}$/);
    expect(await edge.sendRaw(`GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(300_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe('what is no request', () => {
  it.each([
    ['endless empty lines', '\r\n'.repeat(100)],
    ['no version', 'GET /\n'],
    ['a line without CR', `GET / HTTP/1.1\n`],
    ['a header without CR', `GET / HTTP/1.1\r\nHost: shop.apps.test\n`],
    ['a blank line without CR', `GET / HTTP/1.1\r\n${HOST}\n`],
  ])('is refused at once, not when its time is over: %s', async (_what, bytes) => {
    const edge = await startWithRelease();
    const socket = edge.openRaw(bytes);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /);
    socket.destroy();
  });
});

describe('slow readers', () => {
  it('do not make the edge read ahead', async () => {
    const edge = await startWithRelease({ files: { '/huge.bin': { content: Buffer.alloc(50_000_000) } } });
    const before = process.memoryUsage().arrayBuffers;
    const sockets = Array.from({ length: 30 }, () => edge.openRaw(get('/huge.bin')));
    await Promise.all(sockets.map((socket) => once(socket, 'data').then(() => socket.pause())));
    const held = await whenSteady(() => process.memoryUsage().arrayBuffers - before);
    expect(held).toBeLessThan(60_000_000);
    for (const socket of sockets) socket.destroy();
  });

  it('who go away leave no file open', async () => {
    const edge = await startWithRelease({ files: { '/huge.bin': { content: Buffer.alloc(50_000_000) } } });
    const socket: Socket = edge.openRaw(get('/huge.bin'));
    await once(socket, 'data');
    socket.destroy();
    await eventually('the file is closed', () => openFiles(edge.paths.objects) === 0);
    expect(socket.destroyed).toBe(true);
  });
});

describe('stopping', () => {
  it('finishes a file that is under way, and says so on a connection that comes again', async () => {
    const edge = await startWithRelease({ files: { '/huge.bin': { content: Buffer.alloc(20_000_000) } } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const options = { port: edge.port, host: '127.0.0.1', path, agent, headers: { Host: 'shop.apps.test' } };
        startRequest(options, resolve).once('error', reject).end();
      });
    expect(await text(await ask('/'))).toBe('home');
    const socket = edge.openRaw(get('/huge.bin'));
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    const stopped = edge.stop(20_000);
    const answer = await ask('/about');
    expect(answer.headers.connection).toBe('close');
    expect(await text(answer)).toBe('about');
    let received = first.length;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    await once(socket, 'end');
    expect(received).toBeGreaterThan(20_000_000);
    await stopped;
    agent.destroy();
  });

  it('closes idle connections after a moment', async () => {
    const edge = await startWithRelease();
    const socket = edge.openRaw(get('/'));
    await once(socket, 'data');
    const ended = once(socket, 'end');
    await edge.stop(20_000);
    await ended;
    expect(socket.bytesWritten).toBe(get('/').length);
  });
});

/** Header lines, without those that are written by another hand, and the body. */
function linesOf(answer: string): string[] {
  return answer
    .replace(/^(Date|Connection|Keep-Alive): .*\r\n/gim, '')
    .split('\r\n')
    .toSorted();
}

function headOf(answer: string): string {
  return answer.slice(0, answer.indexOf('\r\n\r\n') + 4).replace(/Date: .*\r\n/, '');
}

/** A number that has stopped growing. */
async function whenSteady(read: () => number): Promise<number> {
  for (let seen = read(); ; seen = read()) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (read() <= seen) return seen;
  }
}
