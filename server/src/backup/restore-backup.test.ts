import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentMigration, migrate, migrationNames } from '../db/migrate.ts';
import { openStore } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { openKeyring } from '../secrets/key-file.ts';
import type { SealedPlace } from '../secrets/keyring.ts';
import { sealedColumns } from '../secrets/sealed-columns.ts';
import { readKeys } from '../secrets/stored-keys.ts';
import { createTestStore } from '../testing/test-store.ts';
import { restoreBackup } from './restore-backup.ts';
import { fillWithAwkwardRows } from './testing/awkward-rows.ts';
import { contentOf, openBackupBench } from './testing/backup-bench.ts';
import { writeBackup } from './write-backup.ts';

const isRunning = (job: string) => job.includes(',running,');

describe('a backup, restored into an empty store with another key file', () => {
  it('is the same in every row of every table, but that what ran waits', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using other = await createTestStore({ migrated: false });
    const report = await bench.write(store);
    expect(report.missingKeys).toEqual([]);
    expect(Object.entries(report.rows).filter(([, rows]) => rows === 0)).toEqual([]);

    const restored = await bench.restore(other);

    expect(restored).toMatchObject({ rows: report.rows, ignored: [], previousKeyFile: null, lilac: '0.1.0' });
    expect(await currentMigration(other.db)).toBe(migrationNames().at(-1));
    const { jobs: jobsBefore, ...before } = await contentOf(store);
    const { jobs: jobsAfter, ...after } = await contentOf(other);
    expect(after).toEqual(before);
    expect(after.organisation_counts!.length).toBeGreaterThan(0);
    expect(jobsAfter).toHaveLength(jobsBefore!.length);
    expect(jobsBefore!.filter(isRunning)).toHaveLength(1);
    expect(jobsAfter!.filter((job) => jobsBefore!.includes(job))).toEqual(jobsBefore!.filter((job) => !isRunning(job)));
    const { rows } = await other.pool.query(`select state, worker, lease_until from jobs where error like 'It ran%'`);
    expect(rows).toEqual([{ state: 'queued', worker: null, lease_until: null }]);
  });

  it('opens every sealed value; the keys that came with it are retired ones', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using other = await createTestStore({ migrated: false });
    await bench.write(store);
    const own = openKeyring(bench.keysThere).currentKeyId();
    const { previousKeyFile } = await bench.restore(other);
    const keyring = openKeyring(bench.keysThere);
    for (const { table, column, row } of sealedColumns) {
      const { rows } = await other.pool.query<{ name: string; sealed: string }>(
        `select ${row} as name, ${column} as sealed from ${table} where ${column} is not null`,
      );
      expect(rows.length).toBeGreaterThanOrEqual(table === 'local_authority' ? 1 : 2);
      for (const { name, sealed } of rows) {
        expect(keyring.open(sealed, { table, column, row: name } as SealedPlace)).toBe(`secret of ${name}`);
      }
    }
    expect(keyring.currentKeyId()).toBe(own);
    expect(readKeys(bench.keysThere).keys.filter((key) => key.retiredAt === null)).toHaveLength(1);
    expect(readKeys(previousKeyFile!).keys.map((key) => key.id)).toEqual([own]);
    expect(statSync(previousKeyFile!).mode & 0o777).toBe(0o600);
  });

  it('gives out no number again that was given out before', async () => {
    using bench = openBackupBench();
    await using store = await createTestStore();
    await using other = await createTestStore({ migrated: false });
    openKeyring(bench.keysHere);
    const insert = `insert into jobs (kind, max_attempts) values ('k', 1) returning id`;
    for (let n = 0; n < 5; n++) await store.pool.query(insert);
    await store.pool.query('delete from jobs where id > 2');
    await bench.write(store);
    await bench.restore(other);
    expect((await other.pool.query(insert)).rows).toEqual([{ id: '6' }]);
  });

  it('can be backed up and restored again, the same', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using other = await createTestStore({ migrated: false });
    await bench.write(store);
    await bench.restore(other);
    const once = await contentOf(other);
    const path = join(bench.home, 'second.backup');
    await writeBackup({
      store: other,
      objects: bench.objectsThere,
      keyFile: bench.keysThere,
      clock: systemClock,
      path,
      lilacVersion: '0.1.0',
    });
    await bench.restore(other, { path, replace: true });
    expect(await contentOf(other)).toEqual(once);
  });

  it('needs no rights in PostgreSQL but those of the database’s owner, and leaves other tables alone', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using other = await createTestStore({ migrated: false });
    await bench.write(store);
    const { rows } = await other.pool.query<{ name: string }>('select current_database() as name');
    const role = `owner_${rows[0]!.name}`;
    await other.pool.query(`create role ${role} login password 'p' nosuperuser nocreatedb nocreaterole`);
    await other.pool.query(`alter database ${rows[0]!.name} owner to ${role}`);
    const url = other.url.replace(/\/\/[^@]+@/, `//${role}:p@`);
    const asOwner = openStore({ kind: 'url', url }, { max: 2, applicationName: 'owner' });
    await asOwner.pool.query(`create table somebody_elses (x text); insert into somebody_elses values ('kept')`);
    const options = {
      objects: bench.objectsThere,
      keyFile: bench.keysThere,
      clock: systemClock,
      path: bench.path,
      replace: true,
    };
    await restoreBackup({ store: asOwner, ...options });
    await restoreBackup({ store: asOwner, ...options });
    const { jobs: _jobs, somebody_elses, ...after } = await contentOf(other);
    const { jobs: _jobsBefore, ...before } = await contentOf(store);
    expect(after).toEqual(before);
    expect(somebody_elses).toEqual(['(kept)']);
    await asOwner.close();
  });
});

describe('an older backup', () => {
  it.each(migrationNames())('of a store at %s is brought up to date', async (migration) => {
    using bench = openBackupBench();
    await using old = await createTestStore({ migrated: false });
    await using target = await createTestStore({ migrated: false });
    await migrate(old.db, { upTo: migration });
    await fillWithAwkwardRows(old.pool, openKeyring(bench.keysHere));
    await bench.write(old);
    const { rows } = await bench.restore(target);
    expect(await currentMigration(target.db)).toBe(migrationNames().at(-1));
    // From here the old store goes the way it would have gone without a backup.
    await migrate(old.db);
    const { jobs: _after, ...after } = await contentOf(target);
    const { jobs: _before, ...before } = await contentOf(old);
    expect(after).toEqual(before);
    expect(Object.keys(rows).length).toBeGreaterThan(10);
  });
});

describe('a store that is in use', () => {
  it('is left alone, unless it is to be replaced', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using used = await createTestStore();
    await bench.write(store);
    await used.pool.query(`insert into organisations (id, name, slug, plan) values ('org_1', 'One', 'one', 'free')`);
    const before = await contentOf(used);
    await expect(bench.restore(used)).rejects.toThrow(
      'The store is in use: it holds an installation with 0 people and 1 organisation. ',
    );
    expect(await contentOf(used)).toEqual(before);
    expect(existsSync(bench.keysThere)).toBe(false);
    await bench.restore(used, { replace: true });
    expect((await contentOf(used)).organisations).toEqual((await contentOf(store)).organisations);
  });

  it('is still that of the host that keeps the instances and the databases, and no other takes them', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using used = await createTestStore();
    await bench.write(store);
    await used.pool.query(
      `insert into leaderships (name, term, worker, host, address)
       values ('databases', 7, 'one', 'one', '10.0.0.1'), ('instances', 3, 'two', null, null)`,
    );
    await bench.restore(used, { replace: true });
    const { rows } = await used.pool.query('select name, term, worker, host, address from leaderships order by name');
    expect(rows).toEqual([
      { name: 'databases', term: '8', worker: null, host: 'one', address: '10.0.0.1' },
      { name: 'instances', term: '4', worker: null, host: null, address: null },
    ]);
  });

  it('is not one that holds only what an installation writes by itself', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using fresh = await createTestStore();
    await bench.write(store);
    await fresh.pool.query(`insert into platform_secrets (name, sealed) values ('made at start', 'x')`);
    await fresh.pool.query(`insert into jobs (kind, max_attempts) values ('jobs.purge', 1)`);
    await bench.restore(fresh);
    expect((await contentOf(fresh)).platform_secrets).toEqual((await contentOf(store)).platform_secrets);
  });
});
