import { describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { openTransferBench as open } from '../testing/transfer-bench.ts';
import { backUpDue } from './back-up.ts';
import { allBackupsOf } from './backup-store.ts';
import { expireBackups } from './remove-backups.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('the daily backup', () => {
  it('is made once a day, kept for a week, the newest for ever; a failure is told', async () => {
    const bench = await open();
    const { db } = bench.api.store;
    const { id } = await bench.createHealthy();
    const automatic = async () => (await allBackupsOf(db, id)).filter(({ purpose }) => purpose === 'automatic');
    const settled = () =>
      eventually('all have ended', async () =>
        (await automatic()).every(({ status }) => status === 'ready' || status === 'failed'),
      );
    // The store's clock made the rows; the platform's goes its own way in tests.
    const goTo = (msFromNow: number) => bench.clock.advance(Date.now() + msFromNow - bench.clock.now().getTime());
    goTo(2 * 60 * 60 * 1000);
    await backUpDue(bench.deps);
    await backUpDue(bench.deps);
    await settled();
    expect(await automatic()).toHaveLength(1);
    goTo(DAY_MS + 60_000);
    await backUpDue(bench.deps);
    await settled();
    expect(await automatic()).toHaveLength(2);
    goTo(30 * DAY_MS);
    await expireBackups(bench.deps);
    expect(await automatic()).toHaveLength(1);
    bench.engines.postgresql.around = (_moment, method) => {
      if (method === 'dump') throw new Error('The disk is broken');
    };
    await backUpDue(bench.deps);
    await eventually('it has failed', async () => (await automatic()).some(({ status }) => status === 'failed'));
    const told = await db.selectFrom('activity_entries').select(['action', 'database_id']).execute();
    expect(told).toContainEqual({ action: 'database_backup_failed', database_id: id });
  });
});

describe('why an import failed', () => {
  it('is said until something else succeeds, a rotation or a backup; the activity keeps it', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy();
    for (const deed of ['rotate-password', 'backup']) {
      expect(await bench.importText(id, 'fail\n')).toMatchObject({ error: expect.stringContaining('line 1') });
      expect(await bench.call(`/api/databases/${deed}`, { databaseId: id })).toMatchObject({ status: 200 });
      await eventually(`it is said no longer after ${deed}`, async () => (await bench.read(id)).error === null);
      expect(await bench.read(id)).toMatchObject({ status: 'healthy' });
    }
    const told = await bench.api.store.db.selectFrom('activity_entries').select(['action', 'database_id']).execute();
    expect(told).toContainEqual({ action: 'database_import_failed', database_id: id });
  });

  it('is told of the import itself, whatever is said of the servers since', async () => {
    const bench = await open();
    const { id } = await bench.createHealthy();
    const told = async () => (await bench.call('/api/databases/status', { databaseId: id })).body['last_import'];
    expect(await told()).toBe(null);
    await bench.importText(id, 'fail\n');
    const { db } = bench.api.store;
    await db.updateTable('databases').set({ status: 'degraded', error: 'Its server is down.' }).execute();
    const failed = { upload_id: expect.stringMatching(/^upl_/), error: expect.stringContaining('line 1') };
    expect(await told()).toEqual(failed);
    await bench.importText(id, 'fine\n');
    expect(await told()).toMatchObject({ error: null });
  });
});
