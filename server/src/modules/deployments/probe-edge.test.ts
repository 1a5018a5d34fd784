import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SWITCHING_PROTOCOLS } from '../../testing/listen-raw.ts';
import { probeEdge, type EdgeProbe } from './probe-edge.ts';

async function probe(answer: RequestListener, options: Partial<EdgeProbe> = {}, lostEdges = 0) {
  await using server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const chooseEdge = async (attempt: number) => ({ port: attempt < lostEdges ? 1 : port, bind: '0.0.0.0' });
  const asked = {
    host: 'shop.localhost',
    newHost: () => Promise.resolve('shop.localhost'),
    token: 'token.ins_1',
    healthPath: null,
    withinMs: 600_000,
  };
  try {
    return await probeEdge({ chooseEdge, ...asked, signal: new AbortController().signal, ...options });
  } finally {
    server.closeAllConnections();
  }
}

const switching: RequestListener = ({ socket }, response) => {
  response.detachSocket(socket);
  socket.write(SWITCHING_PROTOCOLS);
};
const refusing: RequestListener = (_, response) => void response.writeHead(502, { 'x-lilac-error': 'broken' }).end();

describe('the check through the router', () => {
  it('asks as a visitor would, for one instance, and takes any answer of its own', async () => {
    const seen: unknown[] = [];
    const answer: RequestListener = ({ url, headers }, response) => {
      seen.push([url, headers.host, headers['x-lilac-probe']]);
      response.writeHead(404).end();
    };
    expect(await probe(answer)).toBeNull();
    expect(seen).toEqual([['/', 'shop.localhost', 'token.ins_1']]);
  });

  it.each([
    [200, true],
    [399, true],
    [400, false],
    [503, false],
  ])('takes status %i at a health path for well: %s', async (status, isWell) => {
    const answer: RequestListener = (_, response) => void response.writeHead(status).end();
    const said = await probe(answer, { healthPath: '/ready', withinMs: isWell ? 600_000 : 100 });
    expect(said).toBe(isWell ? null : `The new instance failed its check: /ready answered with status ${status}.`);
  });

  it('goes to the next edge where one takes no connections', async () => {
    expect(await probe((_, response) => void response.end(), {}, 2)).toBeNull();
  });

  it('gives one that is not well yet time', async () => {
    let count = 0;
    const answer: RequestListener = (_, response) => void response.writeHead(++count < 4 ? 503 : 200).end();
    expect(await probe(answer, { healthPath: '/ready', brokenMs: 0 })).toBeNull();
  });

  it('ends long before the time is over where what comes is no answer', async () => {
    const said = 'The new instance failed its check: / had no answer, the router said broken.';
    expect(await probe(refusing, { brokenMs: 200 })).toBe(said);
  });

  it('takes another protocol, which it has not asked for, for no answer', async () => {
    expect(await probe(switching, { withinMs: 1000 })).toContain('another protocol');
  });

  it('says how long it waited', async () => {
    expect(await probe(() => {}, { withinMs: 1000 })).toContain('/ did not answer within 1 s');
  });

  it('tells the last real problem, not that the time was over in the midst of an attempt', async () => {
    let count = 0;
    const answer: RequestListener = (request, response) => {
      if (++count < 3) refusing(request, response);
    };
    expect(await probe(answer, { withinMs: 1000 })).toContain('the router said broken');
  });
});
