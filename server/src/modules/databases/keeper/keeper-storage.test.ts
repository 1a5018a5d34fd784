import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createKeeperBench, type KeeperBench } from '../testing/keeper-bench.ts';

const GB = 2 ** 30;

let bench: KeeperBench;
beforeEach(async () => {
  bench = await createKeeperBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const fill = async (id: string, usedBytes: number) =>
  void bench.spaces.set((await bench.read(id)).primary.id, { usedBytes });
const databaseOf = async (id: string) => (await bench.read(id)).database;

describe('a database that uses up its storage', () => {
  it('refuses writes and says what to do, until there is room again', async () => {
    const id = await bench.add();
    await bench.keep();
    await fill(id, 9.6 * GB);
    await eventually('it is full', async () => (await databaseOf(id)).status === 'degraded');
    expect(await databaseOf(id)).toMatchObject({
      is_full: true,
      error: expect.stringMatching(/10 GB.*Grow/) as string,
    });
    expect(await bench.write(id, 'refused')).toBe(false);
    await fill(id, 9.2 * GB);
    const looks = bench.engine.calls.length;
    await eventually('it was looked at', () => bench.engine.calls.length > looks + 2);
    expect((await databaseOf(id)).is_full).toBe(true);
    expect(await bench.told()).toEqual(['platform: database_full Kept']);
    await fill(id, 5 * GB);
    await bench.settled(id, 1);
    expect(await databaseOf(id)).toMatchObject({ is_full: false, error: null });
    expect(await bench.write(id, 'accepted')).toBe(true);
    expect((await bench.told()).slice(1)).toEqual(['platform: database_writable Kept']);
    expect(bench.spaces.get((await bench.read(id)).primary.id)).toMatchObject({ hasReserve: true });
  });

  it('is stopped though a job holds it: an import may be what fills it', async () => {
    const id = await bench.add({ status: 'updating' });
    await bench.keep();
    await bench.locks.hold(id, async () => {
      await fill(id, 9.6 * GB);
      await eventually('it is full', async () => (await databaseOf(id)).is_full);
      expect((await bench.primaryOf(id)).isWritable).toBe(false);
    });
    expect((await databaseOf(id)).status).toBe('updating');
  });

  it('stays stopped after a restart, a failover, and another keeper', async () => {
    const id = await bench.add({ ha_enabled: true });
    const first = await bench.keep();
    const { primary, standby } = await bench.read(id);
    for (const server of [primary, standby!]) bench.spaces.set(server.id, { usedBytes: 9.6 * GB });
    await eventually('it is full', async () => (await databaseOf(id)).is_full);
    bench.engine.crash(primary.id);
    await eventually('it took over', async () => (await bench.read(id)).primary.id === standby!.id);
    await eventually('it refuses', async () => !(await bench.primaryOf(id)).isWritable);
    await first.stop();
    (await bench.primaryOf(id)).isWritable = true;
    await bench.keep();
    await eventually('it refuses again', async () => !(await bench.primaryOf(id)).isWritable);
    expect((await databaseOf(id)).is_full).toBe(true);
    expect(await bench.told()).toEqual(['platform: database_full Kept', 'platform: database_failed_over Kept']);
  });

  it('is told again when it was stopped by a keeper that could not write it down', async () => {
    const id = await bench.add();
    (await bench.primaryOf(id)).isWritable = false;
    await bench.keep();
    await eventually('it takes writes', () => bench.write(id, 'a'));
    expect((await databaseOf(id)).is_full).toBe(false);
  });

  it('and died of it gets its reserve, starts, and takes no writes; no standby takes over into the same wall', async () => {
    const id = await bench.add({ ha_enabled: true });
    const { primary, standby } = await bench.read(id);
    await bench.keep();
    const used = { usedBytes: 11 * GB - 1000 };
    for (const server of [primary, standby!]) bench.spaces.set(server.id, used);
    bench.engine.crash(primary.id);
    await eventually('it runs', () => bench.engine.isRunning(primary.id));
    await eventually('it is full', async () => (await databaseOf(id)).is_full);
    expect(bench.spaces.get(primary.id)).toMatchObject({ hasReserve: false });
    expect((await bench.primaryOf(id)).isWritable).toBe(false);
    expect((await bench.read(id)).primary.id).toBe(primary.id);
    for (const server of [primary, standby!]) bench.spaces.set(server.id, { usedBytes: GB });
    await bench.settled(id, 2);
    expect(await bench.write(id, 'grown')).toBe(true);
  });
});

const minutesOf = (id: string) =>
  bench.store.db.selectFrom('database_minutes').selectAll().where('database_id', '=', id).orderBy('minute').execute();

describe('the minutes of a database', () => {
  it('tell what it used, the processor in percent of its tier; old ones go', async () => {
    const id = await bench.add();
    const old = new Date(bench.clock.now().getTime() - 9 * 86_400_000);
    await bench.store.db.insertInto('database_minutes').values({ database_id: id, minute: old }).execute();
    bench.engine.usageOf = { cpuSeconds: 10, memoryBytes: 5000, storageBytes: 7000, connections: 3 };
    await bench.keep();
    await eventually('one is written, the old one gone', async () => {
      const minutes = await minutesOf(id);
      return minutes.length === 1 && minutes[0]!.minute > old;
    });
    const [first] = await minutesOf(id);
    expect(first).toMatchObject({ cpu: null, memory_bytes: '5000', storage_bytes: '7000', connections: 3 });
    expect(first!.minute.getTime() % 60_000).toBe(0);
    bench.engine.usageOf = { ...bench.engine.usageOf, cpuSeconds: 10.5, connections: 4 };
    bench.clock.advance(60_000);
    await eventually('the next is written', async () => (await minutesOf(id)).length === 2);
    const [, second] = await minutesOf(id);
    expect(second!.connections).toBe(4);
    expect(second!.cpu).toBeGreaterThan(0);
  });
});

describe('addresses', () => {
  it('that others have removed, or left behind, are set right', async () => {
    const id = await bench.add({ ha_enabled: true });
    await bench.keep({ addressesMs: 20 });
    const { database, primary } = await bench.read(id);
    bench.engine.crash(primary.id);
    const after = await bench.settled(id, 2);
    bench.leads.clear();
    bench.leads.set(1, 2);
    await eventually('they are right', () => bench.leads.size === 1 && bench.leads.has(database.port));
    expect(bench.leads.get(database.port)).toBe(after.primary.port);
  });
});
