import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DatabaseRow } from '../../../db/schema.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createDatabase } from '../../../testing/factories.ts';
import { createFleetBench, type FleetBench } from '../../instances/testing/fleet-bench.ts';
import { sealPassword } from '../password.ts';
import { connectDatabase, disconnectDatabase } from './connect-database.ts';
import { renewLinked } from './renew-linked.ts';

const signal = new AbortController().signal;

interface LinkedBench extends FleetBench {
  database: DatabaseRow;
  /** What instances find in `DATABASE_URL` while the password is this. */
  addressWith(password: string): string;
  /** As a rotation leaves it; the old instances know nothing of it. */
  setPassword(password: string): Promise<void>;
  renew(): Promise<void>;
  disconnect(): Promise<void>;
}

const FIRST = 'a-password-of-tests';

async function createLinkedBench(options?: Parameters<typeof createFleetBench>[0]): Promise<LinkedBench> {
  const base = await createFleetBench(options);
  const { environmentId, caller } = base;
  const { organisation_id: organisationId } = base.subject.environment;
  const database = await createDatabase(base, { organisationId });
  const link = { database, environmentId, variable: 'DATABASE_URL', caller };
  await connectDatabase(base, link);
  return Object.assign(base, {
    database,
    addressWith: (password: string) => `postgresql://admin:${password}@127.0.0.1:${database.port}/app`,
    async setPassword(password: string) {
      const sealed = { databaseId: database.id, column: 'admin_password', password } as const;
      await base.store.db
        .updateTable('databases')
        .set({ admin_password: sealPassword(base.keyring, sealed) })
        .where('id', '=', database.id)
        .execute();
    },
    renew: () => renewLinked({ store: base.store, fleet: base.fleet }, database.id, signal),
    disconnect: () => disconnectDatabase(base, link),
  });
}

describe('an environment that a database is connected to', () => {
  it('has its address from the next deployment on, in the build and in its instances', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    const done = await bench.deploy(bench.subject);
    expect(bench.builder.requests[0]!.variables).toEqual({ DATABASE_URL: bench.addressWith(FIRST) });
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith(FIRST));
    expect(done).toMatchObject({ database_links: { DATABASE_URL: bench.database.id }, variables: null });
  });

  it('has it as it is when an instance starts, also after a rollback', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    const first = await bench.deploy(bench.subject);
    await bench.setPassword('the-second-one');
    await bench.scale(2, 2);
    await bench.settled(2);
    expect(bench.runtime.started.map(({ env }) => env.DATABASE_URL)).toEqual([
      bench.addressWith(FIRST),
      bench.addressWith('the-second-one'),
    ]);
    await bench.disconnect();
    await bench.deploy(bench.subject);
    expect((await bench.ask()).env).not.toHaveProperty('DATABASE_URL');
    await bench.setPassword('the-third-one');
    await bench.rollBack(bench.subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith('the-third-one'));
  });

  it('has it no more once the database is deleted', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    const first = await bench.deploy(bench.subject);
    await bench.store.db.deleteFrom('databases').execute();
    await bench.deploy(bench.subject);
    expect((await bench.ask()).env).not.toHaveProperty('DATABASE_URL');
    await bench.rollBack(bench.subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    expect((await bench.ask()).env).not.toHaveProperty('DATABASE_URL');
  });

  it('does not tell the password when an instance fails', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    bench.runtime.behave = ({ env }) => ({
      bootMs: 10_000,
      exit: { afterMs: 5, exitCode: 1, isOutOfMemory: false },
      lines: [`cannot connect to ${env.DATABASE_URL}`, `with ${FIRST}`],
    });
    const failed = await bench.waitFor((await bench.start(bench.subject)).id, 'failed');
    const log = (await bench.logOf(failed.id)).join('\n');
    expect(log).toContain('cannot connect to [redacted]');
    expect(log).not.toContain(FIRST);
  });
});

describe('after its password was changed', () => {
  it('every instance is replaced by one that knows the new one, and no request is dropped', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    await bench.scale(2, 4);
    const { id } = await bench.deploy(bench.subject);
    const old = await bench.settled(2);
    bench.runtime.behave = () => ({ bootMs: 100 });
    bench.runtime.onStop = (stopped) => {
      const listed = bench.edges.map((edge) => edge.targets(bench.environmentId).at(-1)!.instances);
      for (const instances of listed) expect(instances.map((one) => one.id)).not.toContain(stopped);
    };
    await bench.setPassword('the-second-one');
    const asking = new AbortController();
    const statuses = askUntil(bench, asking.signal);
    await bench.renew();
    const now = await bench.settled(2);
    asking.abort();
    expect(new Set(await statuses)).toEqual(new Set([200]));
    const before = new Set(old.map((one) => one.id));
    expect(now.filter((one) => before.has(one.id))).toEqual([]);
    expect(now.every(({ deploymentId }) => deploymentId === id)).toBe(true);
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith('the-second-one'));
    expect(bench.runtime.started).toHaveLength(4);
    expect(await bench.statuses(bench.subject)).toMatchObject({ environment: 'healthy', live: id });
  });

  it('the old ones stay while the new ones cannot start, and go as soon as they can', async () => {
    await using bench = await createLinkedBench({ settings: { LILAC_START_WITHIN: '1s' } });
    await bench.work();
    await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.runtime.behave = () => ({ bootMs: 10_000, exit: { afterMs: 5, exitCode: 1, isOutOfMemory: false } });
    await bench.setPassword('the-second-one');
    await expect(bench.renew()).rejects.toThrow('could not be replaced');
    expect(await bench.ask()).toMatchObject({ status: 200, id: old!.id });
    bench.runtime.behave = () => ({});
    await bench.renew();
    expect((await bench.settled(1))[0]!.id).not.toBe(old!.id);
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith('the-second-one'));
  });

  it('nothing is replaced that knows it already, nor started where all sleep', async () => {
    await using bench = await createLinkedBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '200ms' } });
    await bench.work();
    await bench.deploy(bench.subject);
    await bench.renew();
    expect(bench.runtime.started).toHaveLength(1);
    await bench.settled(0);
    await bench.setPassword('the-second-one');
    await bench.renew();
    expect(bench.runtime.started).toHaveLength(1);
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith('the-second-one'));
  });

  it('a worker that was killed half-way leaves it to the next one', async () => {
    await using bench = await createLinkedBench();
    await bench.work();
    await bench.deploy(bench.subject);
    const [old] = await bench.settled(1);
    bench.runtime.behave = () => ({ isDeaf: true });
    await bench.setPassword('the-second-one');
    const killed = new AbortController();
    const renewing = renewLinked({ store: bench.store, fleet: bench.fleet }, bench.database.id, killed.signal);
    await eventually('another one is started', () => bench.running().length === 2);
    killed.abort();
    await expect(renewing).rejects.toThrow('aborted');
    await bench.fleet.stop();
    bench.runtime.behave = () => ({});
    await bench.keep();
    await bench.renew();
    const [now] = await bench.settled(1);
    expect(now!.id).not.toBe(old!.id);
    expect((await bench.ask()).env.DATABASE_URL).toBe(bench.addressWith('the-second-one'));
  });
});

async function askUntil(bench: FleetBench, until: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!until.aborted) {
    statuses.push((await bench.ask()).status);
    await delay(5);
  }
  return statuses;
}
