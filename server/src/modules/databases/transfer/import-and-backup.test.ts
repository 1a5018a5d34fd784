import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { CannotBeDumped } from '../../../engines/transfer.ts';
import { eventually } from '../../../testing/eventually.ts';
import { openTransferBench as open } from '../testing/transfer-bench.ts';
import { findBackup } from './backup-store.ts';
import { importJob, orderBackup } from './job-kinds.ts';
import { StillRead, untilNoneReads } from './until-none-reads.ts';

type Bench = Awaited<ReturnType<typeof open>>;

async function textOf(bench: Bench, backupId: string): Promise<string> {
  const { object_key: key } = (await findBackup(bench.api.store.db, backupId))!;
  return gunzipSync(await buffer(bench.objects.read(key))).toString();
}

const isReady = async (bench: Bench, id: string) => (await findBackup(bench.api.store.db, id))?.status === 'ready';

it('an import into MySQL waits for a backup that has begun, which holds what was there before', async () => {
  const bench = await open();
  const { id } = await bench.createHealthy({ databaseType: 'mysql' });
  await bench.importText(id, 'kept\n');
  const { engines } = bench;
  const reading = Promise.withResolvers<void>();
  const stateWhenShut: unknown[] = [];
  let backupId = '';
  engines.mysql.around = async (moment, method) => {
    if (moment === 'after' && method === 'dump') await reading.promise;
    if (moment === 'before' && method === 'setAccess') stateWhenShut.push(await isReady(bench, backupId));
  };
  const before = engines.mysql.calls.length;
  const { body } = await bench.call('/api/databases/backup', { databaseId: id });
  backupId = body.id as string;
  await eventually('it is being read', () => Promise.resolve(engines.mysql.calls.slice(before).includes('dump')));
  await bench.begin(id, await bench.upload(Buffer.from('new\n')));
  const { db } = bench.api.store;
  await eventually('the import has begun', async () => {
    const { rows } = await sql`select from jobs where state = 'running' and kind = ${importJob.name}`.execute(db);
    return rows.length > 0;
  });
  reading.resolve();
  await bench.waitFor(id, 'healthy');
  expect(stateWhenShut).toEqual([true, true]);
  expect(await textOf(bench, backupId)).toMatch(/^kept\n--/);
  expect(await bench.contentsOf({ id })).toEqual(['kept', 'new']);
});

it('an import does not wait for a backup without end', async () => {
  const bench = await open();
  const { id } = await bench.createHealthy({ databaseType: 'mysql' });
  const reading = Promise.withResolvers<void>();
  bench.engines.mysql.around = async (moment, method) => {
    if (moment === 'after' && method === 'dump') await reading.promise;
  };
  await bench.call('/api/databases/backup', { databaseId: id });
  await eventually('it is being read', () => Promise.resolve(bench.engines.mysql.calls.includes('dump')));
  const waiting = untilNoneReads(bench.deps, { databaseId: id, signal: new AbortController().signal, longestMs: 300 });
  await expect(waiting).rejects.toThrow(StillRead);
  reading.resolve();
});

it('a backup that comes to its turn during an import into MySQL waits for its end', async () => {
  const bench = await open();
  const { id } = await bench.createHealthy({ databaseType: 'mysql' });
  const { engines } = bench;
  const loading = Promise.withResolvers<void>();
  engines.mysql.around = async (moment, method) => {
    if (moment === 'after' && method === 'load') await loading.promise;
  };
  await bench.begin(id, await bench.upload(Buffer.from('one\nfail\n')));
  await eventually('half of it is in', async () => (await bench.contentsOf({ id })).includes('one'));
  const { db } = bench.api.store;
  const row = await bench.read(id);
  const { id: backupId } = await db.transaction().execute((tx) => orderBackup(tx, row, 'automatic'));
  await eventually('its turn has come once', async () => {
    const { rows } = await sql`select from jobs where state = 'done' and key = ${backupId}`.execute(db);
    return rows.length > 0;
  });
  expect(await findBackup(db, backupId)).toMatchObject({ status: 'waiting' });
  engines.mysql.around = () => {};
  loading.resolve();
  await bench.waitFor(id, 'healthy');
  await eventually('it is ready', () => isReady(bench, backupId));
  expect(await textOf(bench, backupId)).toMatch(/^-- Lilac dump complete/);
});

it('a backup of a database that cannot be dumped fails at once, with the words that say why, and is not tried again', async () => {
  const bench = await open();
  const { id } = await bench.createHealthy();
  bench.engines.postgresql.around = (_moment, method) => {
    if (method === 'dump') throw new CannotBeDumped('A row is too large.');
  };
  const { body } = await bench.call('/api/databases/backup', { databaseId: id });
  const { db } = bench.api.store;
  await eventually('it has ended', async () => {
    const { rows } = await sql`select from jobs where state = 'done' and key = ${body.id as string}`.execute(db);
    return rows.length > 0;
  });
  expect(await findBackup(db, body.id as string)).toMatchObject({ status: 'failed', error: 'A row is too large.' });
  expect(bench.engines.postgresql.calls.filter((method) => method === 'dump')).toHaveLength(1);
  expect(await bench.actions()).toContain('database_backup_failed');
});

it('an import into a MySQL database that cannot be dumped fails at once, and nothing was changed', async () => {
  const bench = await open();
  const { id } = await bench.createHealthy({ databaseType: 'mysql' });
  await bench.importText(id, 'kept\n');
  bench.engines.mysql.around = (_moment, method) => {
    if (method === 'dump') throw new CannotBeDumped('A row is too large.');
  };
  const before = bench.engines.mysql.calls.length;
  expect(await bench.importText(id, 'new\n')).toMatchObject({
    status: 'healthy',
    error: 'The import failed, and nothing was changed: A row is too large.',
  });
  expect(
    bench.engines.mysql.calls.slice(before).filter((method) => ['dump', 'load', 'empty'].includes(method)),
  ).toEqual(['dump']);
  expect(await bench.contentsOf({ id })).toEqual(['kept']);
});
