import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import type { Place } from '../instances/gate.ts';
import { HOST, rawInstance, startProxy } from './testing/start-proxy.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const post = (path: string, headers = '') => `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 4\r\n${headers}\r\nbody`;
const last = 'Connection: close\r\n';
const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

/** The kept connection was heard of some time ago; what is written to it from now on. */
function ageIdle({ pool }: Pick<Place, 'pool'>) {
  const idle = pool.take(performance.now());
  pool.takeBack(idle);
  idle.idleSinceMs -= 100;
  return vi.spyOn(idle.socket, 'write');
}

describe('a connection that was kept', () => {
  it.each([
    ['at once', 0],
    ['after a while', 100],
  ])('and is closed by what it was asked, %s: nobody is asked that again', async (_when, afterMs) => {
    const instance = rawInstance((socket, _head, count) => {
      if (count === 1) socket.write(whole);
      else if (afterMs === 0) socket.destroy();
      else setTimeout(() => socket.destroy(), afterMs);
    });
    const proxy = await startProxy(instance);
    expect(await proxy.sendRaw(get('/first') + get('/second', last))).toMatch(/hello[\s\S]*HTTP\/1\.1 502 /);
    expect(instance.heads).toHaveLength(2);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 200 }, { status: 502 }]);
  });

  it.each([get('/second', last), post('/second', last)])(
    'and was closed unseen while it was idle: nothing is written to it, and %j goes to another',
    async (second) => {
      const instance = rawInstance((socket) => void socket.write(whole));
      const sockets: Socket[] = [];
      instance.on('connection', (socket) => sockets.push(socket));
      const { gate, sendRaw } = await startProxy(instance);
      await sendRaw(get('/first', last));
      const write = ageIdle(gate);
      gate.isClosed = true;
      const answer = sendRaw(second);
      await eventually('it waits', () => gate.waiting.size === 1);
      // In the turn of a timer: what the kernel knows is read after it.
      setTimeout(() => {
        sockets[0]!.destroy();
        gate.open();
      });
      expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/);
      expect([sockets.length, write.mock.calls.length]).toEqual([2, 0]);
      expect(instance.heads.map((head) => head.split(' ', 2)[1])).toEqual(['/first', '/second']);
    },
  );

  it.each([
    ['names no time', '', 1000],
    ['names one', 'Keep-Alive: timeout=5\r\n', 4000],
  ])('is let go well before an instance that %s would', async (_what, line, idleMs) => {
    const proxy = await startProxy(
      rawInstance((socket) => void socket.write(`HTTP/1.1 200 OK\r\n${line}${whole.slice(17)}`)),
    );
    const { pool } = proxy.gate;
    await proxy.sendRaw(get('/', last));
    const idle = pool.take(performance.now());
    expect(idle.idleUntilMs - idle.idleSinceMs).toBeCloseTo(idleMs);
    pool.takeBack(idle);
    expect(pool.take(idle.idleUntilMs + 1)).not.toBe(idle);
  });

  it('is for what must not be asked twice only where the instance was heard of a moment ago', async () => {
    const proxy = await startProxy(rawInstance((socket) => void socket.write(whole)));
    const { pool } = proxy.gate;
    await proxy.sendRaw(get('/', last));
    const idle = pool.take(performance.now());
    pool.takeBack(idle);
    expect(pool.takeHeard(idle.idleSinceMs + 10)).toBe(idle);
    pool.takeBack(idle);
    expect(pool.takeHeard(idle.idleSinceMs + 100)).not.toBe(idle);
    expect(pool.counts).toEqual({ open: 1, idle: 0 });
  });

  it('is not written to where what is asked must not be asked twice, and nobody may be there any more', async () => {
    const instance = rawInstance((socket) => void socket.write(whole));
    const { gate, sendRaw } = await startProxy(instance);
    await sendRaw(get('/first', last));
    const write = ageIdle(gate);
    expect(await sendRaw(post('/second', last))).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/);
    expect(write).not.toHaveBeenCalled();
  });

  it('is used again, and closed when it is idle for longer than the instance keeps it', async () => {
    let connections = 0;
    const instance = rawInstance(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\n${whole.slice(17)}`),
    );
    instance.on('connection', () => connections++);
    const proxy = await startProxy(instance);
    for (let round = 0; round < 3; round++) await proxy.sendRaw(get('/', last));
    expect(connections).toBe(1);
    await eventually('it is closed', () => proxy.gate.pool.counts.open === 0);
  });
});
