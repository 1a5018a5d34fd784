import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { COLLECTION_HOLD } from '../db/collection-hold.ts';
import { migrate } from '../db/migrate.ts';
import { openStore } from '../db/pool.ts';
import { silentLog } from '../lib/log.ts';
import { publishRoute, readRoutesAfter } from '../routing/route-store.ts';
import { eventually } from '../testing/eventually.ts';
import { canMakeMachines, openTwoMachines } from '../testing/two-machines.ts';
import { createLeaderships } from './leaderships.ts';
import { BUSY_LOCK, LATE_LOCK, STARTING_LOCK } from './testing/vanishing-locks.ts';
import { createWorker } from './worker.ts';

/** About eight seconds, and this machine may be busy. What was wrong once would take two hours. */
const PATIENCE_MS = 40_000;

describe.skipIf(!(await canMakeMachines()))('a machine that is gone without a word, and held everything', () => {
  it('keeps nobody from leading, publishing, migrating and backing up', async ({ onTestFinished }) => {
    const machines = await openTwoMachines();
    const store = openStore(machines.here, { max: 10, applicationName: 'here' });
    onTestFinished(() => store.close());
    // First, so that nobody waits for what it holds.
    onTestFinished(() => machines[Symbol.asyncDispose]());
    await eventually('the store answers', async () => (await store.pool.query('select 1').catch(() => null)) !== null);
    await migrate(store.db);
    const starting = store.newClient();
    await starting.connect();
    await starting.query('select pg_advisory_lock($1)', [STARTING_LOCK]);
    await machines.startThere(join(import.meta.dirname, 'testing', 'vanishing-host.ts'), [machines.url]);
    await machines.loseTheOther();
    await starting.query('select pg_advisory_unlock($1)', [STARTING_LOCK]);

    const gained: string[] = [];
    const leaderships = createLeaderships({
      worker: 'here',
      host: 'here',
      log: silentLog,
      reach: { instances: 'free', databases: 'none' },
      onGain: (lead) => gained.push(lead),
      onLoss: () => {},
    });
    const worker = createWorker({ store, log: silentLog, name: 'here', handlers: [], leaderships });
    onTestFinished(() => worker.stop({ finishMs: 0 }));
    await worker.start();
    const published = store.db.transaction().execute(async (tx) => {
      await publishRoute(tx, { environmentId: 'env_2', subdomain: 'two' });
    });
    const locks = [BUSY_LOCK, LATE_LOCK, COLLECTION_HOLD].map((lock) =>
      store.db.transaction().execute((tx) => sql`select pg_advisory_xact_lock(${lock})`.execute(tx)),
    );
    published.catch(() => {});
    for (const lock of locks) lock.catch(() => {});
    const left = () => store.pool.query(`select from pg_stat_activity where application_name = 'lilac vanishing'`);
    await eventually('nothing of it is left', async () => (await left()).rowCount === 0, PATIENCE_MS);
    await eventually('another leads', () => gained.includes('instances'), PATIENCE_MS);
    await Promise.all([published, ...locks]);
    expect((await readRoutesAfter(store.db, 0)).map(({ environmentId }) => environmentId)).toEqual(['env_2']);
  });
});
