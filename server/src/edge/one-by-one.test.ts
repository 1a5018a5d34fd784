import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { heldInBuffers } from '../testing/collect-all.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestEdge, type ApiStandIn } from '../testing/start-test-edge.ts';
import { openFiles } from './testing/open-files.ts';
import { writeRelease } from './testing/write-release.ts';

const HOST = 'Host: shop.apps.test\r\n';
const toApi = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const last = 'Connection: close\r\n';
/** The front leaves a request with a body to the HTTP server. */
const withBody = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\nx`;

async function startWithFile(api: ApiStandIn | null = null) {
  const edge = await startTestEdge(api);
  const files = { '/index.html': 'home', '/huge.bin': { content: Buffer.alloc(20_000_000) } };
  const { artifactId } = writeRelease(edge.paths.objects, { files });
  const target = { kind: 'static' as const, artifactId, deploymentId: 'dep_1', revision: 1 };
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
  ]);
  return edge;
}

/** An api that answers after a moment, and knows how many requests it had at once. */
function startSlowApi() {
  const seen = { now: 0, most: 0 };
  const api: ApiStandIn = async (request, response) => {
    seen.most = Math.max(seen.most, ++seen.now);
    const body = await text(request);
    await new Promise(setImmediate);
    seen.now--;
    response.end(`<${request.url} ${body}>`);
  };
  return { seen, api };
}

describe('requests that a client sends ahead', () => {
  it('reach the api one at a time, and are answered in their order', async () => {
    const { seen, api } = startSlowApi();
    const edge = await startWithFile(api);
    const paths = Array.from({ length: 300 }, (_, at) => `/${at}`);
    const bytes = paths.map((path, at) => toApi(path, at === 299 ? last : '')).join('');
    for (const size of [bytes.length, 1000, 17]) {
      const socket = edge.openRaw('');
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.slice(at, at + size));
      expect((await text(socket)).match(/<[^ ]*/g)).toEqual(paths.map((path) => `<${path}`));
    }
    expect(seen.most).toBe(1);
  });

  it('do so after bodies of any framing, with blank lines in them', async () => {
    const { seen, api } = startSlowApi();
    const edge = await startWithFile(api);
    const post = 'POST /p HTTP/1.1\r\nHost: localhost\r\n';
    const body = 'a\r\n\r\nb\r\n\r\n';
    const whole = `${post}Content-Length: ${body.length}\r\n\r\n${body}`;
    const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const bytes = whole + chunked + toApi('/g') + chunked + whole + whole + toApi('/g', last);
    for (const size of [bytes.length, 1, 2, 3, 5]) {
      const socket = edge.openRaw('');
      const answer = text(socket);
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.slice(at, at + size));
        if (size < bytes.length) await new Promise(setImmediate);
      }
      const p = `</p ${body}>`;
      expect((await answer).match(/<[^>]*>/g)).toEqual([p, p, '</g >', p, p, p, '</g >']);
    }
    expect(seen.most).toBe(1);
  });

  it('are answered behind one that asks for another protocol', async () => {
    const { api } = startSlowApi();
    const edge = await startWithFile(api);
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const answer = await edge.sendRaw(toApi('/one', upgrade) + toApi('/two') + toApi('/three', last));
    expect(answer.match(/<[^ ]*/g)).toEqual(['</one', '</two', '</three']);
    const site = await edge.sendRaw(
      `GET / HTTP/1.1\r\n${HOST}${upgrade}\r\nHEAD / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}${last}\r\n`,
    );
    expect(site.match(/HTTP\/1.1 200/g)).toHaveLength(3);
  });

  it('and whose answers it does not take cost one file a connection', async () => {
    const edge = await startWithFile();
    const many = withBody('/huge.bin').repeat(1000);
    const before = await heldInBuffers();
    const sockets = Array.from({ length: 20 }, () => edge.openRaw(many));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    await eventually('all are being answered', () => openFiles(edge.paths.objects) === 20);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(openFiles(edge.paths.objects)).toBe(20);
    expect((await heldInBuffers()) - before).toBeLessThan(40_000_000);
    for (const socket of sockets) socket.destroy();
    await eventually('the files are closed', () => openFiles(edge.paths.objects) === 0);
  });
});

describe('empty lines', () => {
  it('may come before a request, but not for ever', async () => {
    const { api } = startSlowApi();
    const edge = await startWithFile(api);
    const few = '\r\n\r\n';
    expect(await edge.sendRaw(toApi('/one') + few + toApi('/two', last))).toMatch(/<\/one[^]*<\/two/);
    const socket = edge.openRaw(toApi('/one') + '\r\n'.repeat(1000)).on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

describe('clients that go away', () => {
  it('leave no file open, whenever they do', async () => {
    const edge = await startWithFile();
    for (let round = 0; round < 100; round++) {
      const socket = edge.openRaw(withBody('/huge.bin')).on('error', () => {});
      await once(socket, 'connect');
      if (round % 4 > 0) await new Promise((resolve) => setTimeout(resolve, round % 4));
      socket.resetAndDestroy();
    }
    await eventually('the files are closed', () => openFiles(edge.paths.objects) === 0);
    expect((await edge.call({ host: 'shop.apps.test' })).body).toBe('home');
  });

  it('who wanted a tunnel do no harm', async () => {
    const edge = await startWithFile();
    for (let round = 0; round < 20; round++) {
      const socket = edge.openRaw('CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\nmore').on('error', () => {});
      await once(socket, 'connect');
      await new Promise((resolve) => setTimeout(resolve, round % 3));
      socket.resetAndDestroy();
    }
    expect((await edge.call({ host: 'shop.apps.test' })).body).toBe('home');
    expect(await edge.sendRaw('CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\n')).toMatch(/^HTTP\/1.1 405 /);
  });
});
