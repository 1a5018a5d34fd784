import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startTestEdge } from '../testing/start-test-edge.ts';
import { connectionLimit } from './connection-limit.ts';
import { startInstance } from './instances/testing/start-instance.ts';
import { heldAnswers, startServedEdge } from './instances/testing/start-served-edge.ts';

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

  it('takes those of other addresses, however many unfinished heads one address holds and brings anew', async () => {
    const edge = await startTestEdge((_request, response) => response.end('api'), { maxConnections: 20 });
    const others = Array.from({ length: 3 }, () => connect({ port: edge.port, host: '127.0.0.1' }));
    await Promise.all(others.map((socket) => once(socket, 'connect')));
    const flood = new Set<Socket>();
    let isOver = false;
    const hold = () => {
      if (isOver) return;
      const socket = connect({ port: edge.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      flood.add(socket.on('error', () => {}).on('close', () => void (flood.delete(socket), setTimeout(hold, 1))));
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Unfinished: ');
    };
    for (let count = 0; count < 100; count++) hold();
    await eventually('the edge is full', () => flood.size >= 100);
    for (let answered = 0; answered < 5; answered++) {
      await eventually('somebody gets in', () =>
        edge.call({}).then(
          ({ body }) => body === 'api',
          () => false,
        ),
      );
    }
    expect(others.filter(({ readableEnded, destroyed }) => readableEnded || destroyed)).toEqual([]);
    isOver = true;
    for (const socket of [...flood, ...others]) socket.destroy();
  });

  it('never ends a request that is under way', async () => {
    const edge = await startServedEdge({ maxConnections: 10 });
    const { held, handler } = heldAnswers();
    edge.publish([(await startInstance('a', handler)).address]);
    const underWay = Array.from({ length: 8 }, () => edge.get());
    await eventually('all have come', () => held.length === 8);
    const flood = Array.from({ length: 10 }, () => edge.openRaw('GET / HTTP/1.1\r\nHost: lo').on('error', () => {}));
    await eventually('some had to go', () => flood.some(({ closed, readableEnded }) => closed || readableEnded));
    for (const response of held) response.end('done');
    expect((await Promise.all(underWay)).map(({ body }) => body)).toEqual(Array(8).fill('done'));
    for (const socket of flood) socket.destroy();
  });
});
