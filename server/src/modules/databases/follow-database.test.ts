import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineRefused } from '../../engines/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { openStream, type OpenedStream } from '../../testing/open-stream.ts';
import { setProgress } from './database-store.ts';
import { createDatabasesBench, type DatabasesBench } from './testing/databases-bench.ts';

let bench: DatabasesBench;
let port: number;
beforeAll(async () => {
  bench = await createDatabasesBench();
  await bench.api.app.listen({ port: 0, host: '127.0.0.1' });
  port = (bench.api.app.server.address() as AddressInfo).port;
});
afterAll(() => bench[Symbol.asyncDispose]());

const follow = (id: string, lastEventId?: string): Promise<OpenedStream> => {
  const { organisationId, token } = bench.owner;
  return openStream({ port, path: `/api/databases/${organisationId}/${id}/stream`, token, lastEventId });
};
const seen = ({ events }: OpenedStream) =>
  events.map(({ event, data }) => ({
    event,
    ...(JSON.parse(data) as { status: string; step: string; percent: number }),
  }));

describe('the stream of a database', () => {
  it('tells every step while it is set up, then that it is done, and ends', async () => {
    const engine = bench.engines.postgresql;
    const gates = new Map(['create', 'start', 'createDatabase'].map((name) => [name, Promise.withResolvers<void>()]));
    engine.around = (moment, method) => (moment === 'before' ? gates.get(method)?.promise : undefined);
    const worker = await bench.work();
    const { id } = await bench.create();
    using stream = await follow(id);
    expect(stream.status).toBe(200);
    for (const [step, name] of [
      ['preparing files', 'create'],
      ['starting the server', 'start'],
      ['creating accounts', 'createDatabase'],
    ] as const) {
      await eventually(`it tells "${step}"`, () => seen(stream).at(-1)?.step === step);
      gates.get(name)!.resolve();
    }
    await stream.ended();
    const told = seen(stream);
    expect(told.at(-1)).toEqual({ event: 'done', status: 'healthy', step: 'settled', percent: 100 });
    expect(told.slice(0, -1).every(({ event, status }) => event === 'status' && status === 'provisioning')).toBe(true);
    const numbers = stream.events.map((event) => Number(event.id));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const { percent } = told[0]!;
    expect(told.every((event) => event.percent >= percent)).toBe(true);
    engine.around = () => {};
    await worker.stop();
  });

  it('says at once that nothing is being done to one that is well', async () => {
    const worker = await bench.work();
    const { id, progress } = await bench.createHealthy();
    await worker.stop();
    for (const lastEventId of [undefined, progress, 'nonsense']) {
      using stream = await follow(id, lastEventId);
      await stream.ended();
      expect(seen(stream)).toEqual([{ event: 'done', status: 'healthy', step: 'settled', percent: 100 }]);
    }
  });

  it('goes on where a client was', async () => {
    const { id } = await bench.create();
    const { progress } = await bench.read(id);
    using stream = await follow(id, progress);
    await eventually('it says where it is', () => stream.lastEventId() === progress);
    expect(stream.events).toEqual([]);
    await setProgress(bench.api.store.db, id, { step: 'preparing files', percent: 10 });
    await stream.has(1);
    expect(seen(stream)[0]).toMatchObject({ event: 'status', step: 'preparing files', percent: 10 });
    using other = await follow(id);
    await other.has(1);
    expect(seen(other)[0]).toMatchObject({ event: 'status', step: 'preparing files' });
  });

  it('tells why it failed', async () => {
    bench.engines.postgresql.around = (_moment, method) => {
      if (method === 'create') throw new EngineRefused('No space.');
    };
    const worker = await bench.work();
    const { id } = await bench.create();
    using stream = await follow(id);
    await stream.ended();
    expect(seen(stream).at(-1)).toMatchObject({ event: 'error', status: 'failed', message: 'No space.' });
    using again = await follow(id);
    await again.ended();
    expect(seen(again)).toMatchObject([{ event: 'error', message: 'No space.' }]);
    bench.engines.postgresql.around = () => {};
    await worker.stop();
  });

  it('ends when the database is gone', async () => {
    const { id } = await bench.create();
    await bench.call('/api/databases/delete', { databaseId: id });
    using stream = await follow(id);
    await stream.has(1);
    expect(seen(stream)[0]).toMatchObject({ event: 'status', status: 'deleting', step: 'removing' });
    const worker = await bench.work();
    await stream.ended();
    expect(seen(stream).at(-1)).toEqual({ event: 'done', status: 'deleting', step: 'settled', percent: 100 });
    await worker.stop();
  });

  it('shares one connection to the store, which goes with the last follower', async () => {
    const { id } = await bench.create();
    const listeners = async () => {
      const { rows } = await bench.api.store.pool.query(
        `select pid from pg_stat_activity where datname = current_database() and query = 'listen lilac_databases'`,
      );
      return rows.length;
    };
    await eventually('nobody listens', async () => (await listeners()) === 0);
    const streams = await Promise.all([follow(id), follow(id), follow(id)]);
    await eventually('one listens', async () => (await listeners()) === 1);
    await bench.api.store.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query = 'listen lilac_databases'`,
    );
    await eventually('it listens again', async () => (await listeners()) === 1);
    await setProgress(bench.api.store.db, id, { percent: 33 });
    for (const stream of streams) await eventually('it is told', () => seen(stream).at(-1)?.percent === 33);
    expect(await listeners()).toBe(1);
    for (const stream of streams) stream.close();
    await eventually('nobody listens any more', async () => (await listeners()) === 0);
  });
});
