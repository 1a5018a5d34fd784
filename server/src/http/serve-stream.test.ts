import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { writeLog } from '../logs/testing/write-log.ts';
import { createApiKey, createOwner } from '../testing/factories.ts';
import { eventually } from '../testing/eventually.ts';
import type { StreamCall } from '../testing/open-stream.ts';
import { startStreaming } from '../testing/start-streaming.ts';

const codeOf = (text: string) => (JSON.parse(text) as { code: string }).code;

describe('a stream', () => {
  it('begins with how long to wait and where it is, and goes on with events', async () => {
    await using api = await startStreaming();
    await api.write('before');
    using stream = await api.open();
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
      'x-request-id': expect.stringMatching(/^req_/) as string,
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    await eventually('it says where it is', () => stream.lastEventId() === '1');
    expect(stream.text()).toMatch(/^retry: \d{4}\n\nid: 1\n\n$/);
    await api.write('hello');
    await stream.has(1);
    expect(stream.events).toEqual([{ id: '2', event: 'log', data: expect.any(String) as string }]);
    expect(JSON.parse(stream.events[0]!.data)).toMatchObject({ severity: 'INFO', message: 'hello', instance: null });
  });

  it('pings while nothing happens', async () => {
    await using api = await startStreaming({ streamTimes: { pingMs: 20 } });
    using stream = await api.open();
    await eventually('it pings', () => stream.text().split(': ping\n\n').length > 3);
    expect(stream.events).toEqual([]);
  });

  it('is refused like any other call before it begins', async () => {
    await using api = await startStreaming();
    const foreign = await createOwner(api);
    const tries: [Partial<StreamCall>, number, string][] = [
      [{ token: undefined }, 401, 'CA001'],
      [{ token: undefined, path: `${api.path}?token=${api.owner.token}` }, 401, 'CA001'],
      [{ token: 'nonsense' }, 401, 'CA002'],
      [{ token: foreign.token }, 403, 'CA004'],
      [{ path: api.path.replace(api.environment.id, 'env_nowhere') }, 404, 'NF001'],
      [{ path: api.path.replace(api.environment.id, '%00') }, 400, 'VA001'],
      [{ path: api.path.replace(api.organisationId, '%00') }, 400, 'VA001'],
      [{ path: `${api.path}?severity=loud` }, 400, 'VA001'],
      [{ path: `${api.path}?lines=many` }, 400, 'VA001'],
      [{ headers: { origin: 'https://elsewhere.example' } }, 403, 'CA010'],
    ];
    for (const [call, status, code] of tries) {
      using stream = await api.open(call);
      await stream.ended();
      expect([stream.status, codeOf(stream.text())]).toEqual([status, code]);
    }
    using head = await api.open({ method: 'HEAD' });
    expect([head.status, head.headers.allow]).toEqual([405, 'GET']);
  });

  it('keeps nothing once its client has gone', async () => {
    await using api = await startStreaming();
    for (let round = 0; round < 3; round++) {
      const streams = await Promise.all(Array.from({ length: 10 }, () => api.open()));
      for (const stream of streams) stream.close();
      await eventually('all are closed', async () => (await api.openConnections()) === 0);
    }
    // More than one caller may have at once: each was given back.
    const last = await Promise.all(Array.from({ length: 20 }, () => api.open()));
    expect(last.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    for (const stream of last) stream.close();
  });

  it('keeps nothing of a client that went while it was being admitted', async () => {
    await using api = await startStreaming();
    const { pool } = api.store;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const ask = pool.query.bind(pool) as (...question: unknown[]) => Promise<unknown>;
    const asking = vi.spyOn(pool, 'query');
    asking.mockImplementation((...question: unknown[]): never => gate.then(() => ask(...question)) as never);
    const sockets = Array.from({ length: 20 }, () => connect(api.port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.write(`GET ${api.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.owner.token}\r\n\r\n`);
    }
    await eventually('all are asked about', () => asking.mock.calls.length === 20);
    for (const socket of sockets) socket.destroy();
    await eventually('all are gone', async () => (await api.openConnections()) === 0);
    open();
    asking.mockRestore();
    const statuses = new Set<number>();
    await eventually('there is room for as many', async () => {
      const streams = await Promise.all(Array.from({ length: 20 }, () => api.open()));
      for (const stream of streams) stream.close();
      statuses.clear();
      for (const { status } of streams) statuses.add(status);
      return statuses.size === 1;
    });
    expect([...statuses]).toEqual([200]);
  });

  it('is given to one caller so many times and no more', async () => {
    await using api = await startStreaming();
    const { organisationId } = api;
    const streams = await Promise.all(Array.from({ length: 20 }, () => api.open()));
    using refused = await api.open();
    await refused.ended();
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text())).toEqual({
      code: 'CA009',
      message: 'You have 20 streams open, as many as one caller may have. Close one, then open this one.',
    });
    expect(refused.headers['retry-after']).toBe('5');
    using other = await api.open({ token: (await createApiKey(api, { organisationId })).secret });
    expect(other.status).toBe(200);
    streams[0]!.close();
    await eventually('there is room', async () => {
      using stream = await api.open();
      return stream.status === 200;
    });
    for (const stream of streams) stream.close();
  });

  it('ends at once when the api stops, for those who read and those who do not', async () => {
    await using api = await startStreaming();
    using reading = await api.open();
    using stalled = await api.open({ path: `${api.path}?lines=1000` });
    stalled.pause();
    const line = 'x'.repeat(15_000);
    for (let count = 0; count < 40; count++) {
      const entry = {
        atMs: Date.now(),
        severity: 'INFO',
        message: line,
        instanceId: null,
        deploymentId: null,
      } as const;
      await writeLog(
        api.store.db,
        api.environment.id,
        Array.from({ length: 50 }, () => entry),
      );
    }
    await reading.has(2000);
    await api.app.close();
    await reading.ended();
    expect(reading.text().endsWith('\n\n')).toBe(true);
    stalled.resume();
    await stalled.ended();
    expect(stalled.events.length).toBeLessThan(2000);
  });
});
