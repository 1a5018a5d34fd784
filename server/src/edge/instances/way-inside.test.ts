import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import type { ApiStandIn } from '../../testing/start-test-edge.ts';
import { startEcho, startInstance } from './testing/start-instance.ts';
import { host, startServedEdge } from './testing/start-served-edge.ts';

const ask = (name: string) => `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
/** The first request is the platform's; from then on the connection is the HTTP server's. */
const handedOver = ask('localhost');
const answerOk: ApiStandIn = (_request, response) => response.end('api');

describe("an edge's own way in", () => {
  it("is nobody else's", async () => {
    const edge = await startServedEdge();
    const { mode } = statSync(join(edge.paths.edgeSockets, '1.sock'));
    expect([mode & 0o777, statSync(edge.paths.edgeSockets).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('is closed after a request that the front does not take: the next visitor must not get it', async () => {
    const edge = await startServedEdge({}, answerOk);
    const { address } = await startInstance('a', (_request, response) => response.end('instance'));
    edge.publish([address]);
    const inside = connect(join(edge.paths.edgeSockets, '1.sock'));
    let answers = '';
    inside.setEncoding('utf8').on('data', (piece: string) => (answers += piece));
    // The front keeps what it takes itself; the platform's it hands over, and a visitor's after it would be refused.
    inside.write(ask(host));
    await eventually('the instance has answered', () => answers.includes('instance'));
    expect(answers).not.toMatch(/^connection: close\r$/im);
    answers = '';
    inside.write(ask('localhost'));
    await eventually('the platform has answered', () => answers.includes('api'));
    expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*^connection: close\r$/im);
    await eventually('it is closed', () => inside.closed);
  });
});

describe('a connection that the HTTP server has already', () => {
  it('reaches servers too: methods, bodies, and who the client is', async () => {
    const edge = await startServedEdge({ trustedProxies: ['127.0.0.1'] }, answerOk);
    const { address } = await startInstance('a', async (request, response) => {
      const { headers, method, url } = request;
      const client = [headers['x-forwarded-for'], headers['x-forwarded-proto'], headers['x-forwarded-host']];
      response.end(JSON.stringify([method, url, headers.host, client, await text(request)]));
    });
    edge.publish([address]);
    const about = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n';
    const request = `POST /x HTTP/1.1\r\nHost: ${host}\r\n${about}Connection: close\r\nContent-Length: 5\r\n\r\nhello`;
    const answer = await edge.sendRaw(handedOver + request);
    expect(answer).toContain(JSON.stringify(['POST', '/x', host, ['203.0.113.9', 'https', host], 'hello']));
    const believed = 'X-Forwarded-For: 203.0.113.9, 6.6.6.6';
    expect(await edge.sendRaw(handedOver + request.replace('X-Forwarded-For: 203.0.113.9', believed))).toContain(
      '"6.6.6.6"',
    );
  });

  it.each([
    ['for a server, as on a new connection', host],
    ['for the platform', 'localhost'],
  ])('gets 400 for chunks in HTTP/1.0, which knows of none: %s', async (_what, name) => {
    const calls: string[] = [];
    const edge = await startServedEdge({}, (request, response) => {
      calls.push(`${request.method}`);
      response.end('api');
    });
    const { address } = await startInstance('a', (_request, response) => response.end(String(calls.push('instance'))));
    edge.publish([address]);
    const request = `POST / HTTP/1.0\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await edge.sendRaw(request)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await edge.sendRaw(handedOver + request)).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /);
    expect(calls).toEqual(['GET']);
  });

  it('is told who it is by nobody but the edge', async () => {
    const edge = await startServedEdge({}, answerOk);
    const { address } = await startInstance('a', (request, response) =>
      response.end(request.headers['x-forwarded-for']),
    );
    edge.publish([address]);
    const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n\r\n`;
    const answer = await edge.sendRaw(handedOver + request);
    expect(answer).toContain('127.0.0.1');
    expect(answer).not.toContain('6.6.6.6');
  });

  it('waits for one that sleeps, and may be let down', async () => {
    const edge = await startServedEdge({ instanceHoldMs: 100 }, answerOk);
    edge.publish([]);
    const answer = await edge.sendRaw(`${handedOver}GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toContain('HTTP/1.1 503 ');
    expect(answer).toContain('X-Lilac-Error: SV002');
  });

  it('may become a tunnel, both ways', async () => {
    const edge = await startServedEdge({}, answerOk);
    edge.publish([await startEcho('a')]);
    const socket = edge.openRaw(handedOver);
    await once(socket, 'data');
    socket.write(`GET /w HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toContain('HTTP/1.1 101 ');
    socket.write('one\r\n\r\ntwo');
    const [echo] = (await once(socket, 'data')) as [Buffer];
    expect(echo.toString()).toMatch(/^one/);
    socket.destroy();
    await eventually('it is over', () => Object.keys(edge.gates.load().instances).length === 0);
  });
});
