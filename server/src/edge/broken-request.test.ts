import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestEdge } from '../testing/start-test-edge.ts';

const post = 'POST / HTTP/1.1\r\nHost: localhost\r\n';

describe('a request whose body is broken', () => {
  it.each([
    ['an unknown coding', `${post}Transfer-Encoding: gzip\r\n\r\n`],
    ['a bad chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a chunk longer than it says', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nabcd\r\n`],
  ])('400 VA001, and the connection is closed: %s', async (_what, bytes) => {
    const edge = await startTestEdge(async (request, response) => {
      await text(request).catch(() => '');
      response.end('taken');
    });
    const answer = await edge.sendRaw(bytes);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*\r\nConnection: close\r\n.*"code":"VA001"\}$/s);
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it.each([
    ['a second coding', 'gzip, chunked'],
    ['chunks in chunks', 'chunked, chunked'],
  ])('400 and nothing is passed on: %s', async (_what, coding) => {
    let calls = 0;
    const edge = await startTestEdge((_request, response) => {
      calls++;
      response.end();
    });
    const answer = await edge.sendRaw(`${post}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*"code":"VA001"\}$/s);
    expect(calls).toBe(0);
  });

  it('400 while it waits for an api that restarts', async () => {
    const edge = await startTestEdge(null);
    const socket = edge.openRaw(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write('zz\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('is cut when its answer had begun, and never gets a second one', async () => {
    const edge = await startTestEdge((_request, response) => response.write('begun'));
    const socket = edge.openRaw(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    const [begun] = (await once(socket, 'data')) as [Buffer];
    expect(begun.toString()).toMatch(/^HTTP\/1.1 200 /);
    socket.write('zz\r\n');
    expect(await text(socket)).not.toContain('HTTP/1.1');
  });
});

describe('nonsense after a good request', () => {
  it('leaves the answer to the request whole, and the connection is closed after it', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const edge = await startTestEdge(async (request, response) => {
      response.setHeader('X-Body', await text(request));
      held.resolve(response);
    });
    const answer = edge.sendRaw(`${post}Content-Length: 4\r\n\r\ngoodnonsense\r\n\r\n`);
    (await held.promise).end('answered');
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK\r\nX-Body: good\r\n.*answered.*HTTP\/1.1 400 .*Connection: close/s);
  });

  it('also when the answer had begun', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const edge = await startTestEdge((_request, response) => {
      response.write('begun');
      held.resolve(response);
    });
    const socket = edge.openRaw('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    (await held.promise).end('finished');
    expect(await text(socket)).toContain('finished');
  });

  it('400 when the answer was sent already', async () => {
    const edge = await startTestEdge((_request, response) => response.end('answered'));
    const socket = edge.openRaw('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    expect(await text(socket)).toMatch(/HTTP\/1.1 400 .*"code":"VA001"\}$/s);
  });
});

describe('a request that waits to send its body', () => {
  it('is refused by the api before it has sent any of it', async () => {
    const edge = await startTestEdge((_request, response) => response.writeHead(401).end('who?'));
    const answer = await edge.sendRaw(`${post}Content-Length: 5\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 401 .*who\?/s);
    const expecting = await edge.sendRaw(`${post}Content-Length: 5\r\nExpect: 100-continue\r\n\r\n`);
    expect(expecting).toMatch(/^HTTP\/1.1 401 .*who\?/s);
  });

  it('is asked for it when the api wants it', async () => {
    const edge = await startTestEdge(async (request, response) => {
      response.writeContinue();
      response.end(await text(request));
    });
    const socket = edge.openRaw(`${post}Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*hello/s);
  });

  it('417 MT003 when it expects anything else', async () => {
    const edge = await startTestEdge((_request, response) => response.end());
    const answer = await edge.sendRaw(`${post}Content-Length: 5\r\nExpect: miracles\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 417 .*"code":"MT003"\}$/s);
  });
});
