import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startTestEdge } from '../testing/start-test-edge.ts';
import { connectionLimit } from './connection-limit.ts';

describe('how many connections an edge takes', () => {
  it.each([
    [1024, 256],
    [20_000, 9360],
    [1_048_576, 50_000],
    [Infinity, 50_000],
  ])('with %s files it is %s, with a file for each and some to spare', (files, connections) => {
    expect(connectionLimit(files)).toBe(connections);
  });

  it('is what this process may open, unless told', () => {
    expect(connectionLimit()).toBeGreaterThan(0);
    expect(connectionLimit()).toBeLessThanOrEqual(50_000);
  });
});

describe('an edge with as many connections as it takes', () => {
  it('closes idle ones, and those that come are answered', async () => {
    const edge = await startTestEdge((_request, response) => response.end('api'), { maxConnections: 10 });
    const idle = Array.from({ length: 10 }, () => connect(edge.port, '127.0.0.1'));
    for (const socket of idle) socket.on('end', () => socket.end()).resume();
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await eventually('somebody gets in', () =>
      edge.call({}).then(
        ({ body }) => body === 'api',
        () => false,
      ),
    );
    expect(idle.some((socket) => socket.readableEnded)).toBe(true);
    for (const socket of idle) socket.destroy();
  });

  it('closes those that the HTTP server has, when there are no others', async () => {
    const edge = await startTestEdge((_request, response) => response.end('api'), { maxConnections: 10 });
    const idle = Array.from({ length: 10 }, () => edge.openRaw('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
    await Promise.all(idle.map((socket) => once(socket, 'data')));
    await eventually('somebody gets in', () =>
      edge.call({}).then(
        ({ body }) => body === 'api',
        () => false,
      ),
    );
    expect(idle.some((socket) => socket.readableEnded || socket.destroyed)).toBe(true);
    for (const socket of idle) socket.destroy();
  });
});
