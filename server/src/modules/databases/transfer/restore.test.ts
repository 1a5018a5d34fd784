import type { DatabaseType } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { LoadFailed, SessionLost } from '../../../engines/transfer.ts';
import { eventually } from '../../../testing/eventually.ts';
import type { StandInServer } from '../testing/stand-in-engine.ts';
import { openTransferBench } from '../testing/transfer-bench.ts';

const GIB = 2 ** 30;
const isShut = ({ spec }: StandInServer) => Object.values(spec.access).every((networks) => networks.length === 0);

async function open(databaseType: DatabaseType) {
  const bench = await openTransferBench();
  const { id } = await bench.createHealthy({ databaseType });
  (await bench.contentsOf({ id })).push('row');
  const { body: ordered } = await bench.call('/api/databases/backup', { databaseId: id });
  const list = async () =>
    (await bench.call('/api/databases/backups', { databaseId: id })).body as { status: string }[];
  await eventually('it is ready', async () => (await list())[0]?.status === 'ready');
  const restore = (size: object = {}) =>
    bench.call('/api/databases/restore', { databaseId: id, backupId: ordered.id, name: 'Again', ...size });
  /** As if it had been measured when it was backed up. */
  const use = (storageBytes: number) =>
    bench.api.store.db
      .insertInto('database_minutes')
      .values({ database_id: id, minute: new Date(0), storage_bytes: storageBytes })
      .execute();
  const change = (columns: { tier?: string; storage_gb?: number }) =>
    bench.api.store.db.updateTable('databases').set(columns).where('id', '=', id).execute();
  return { ...bench, id, restore, use, change };
}

describe.each<DatabaseType>(['postgresql', 'mysql'])('a backup of %s', (databaseType) => {
  it('is restored to a new database, which has the data before it is healthy and lets nobody in before', async () => {
    const bench = await open(databaseType);
    (await bench.contentsOf(bench)).push('later');
    const engine = bench.engines[databaseType];
    const seen: boolean[] = [];
    engine.around = (now, method, serverId) => {
      if (now === 'after' && method === 'load') seen.push(isShut(engine.servers.get(serverId)!));
    };
    const restored = await bench.restore();
    expect(restored).toMatchObject({ status: 201, body: { name: 'Again', status: 'provisioning' } });
    const id = restored.body.id as string;
    await bench.waitFor(id, 'healthy');
    expect(await bench.contentsOf({ id })).toEqual(['row']);
    expect(await bench.contentsOf(bench)).toEqual(['row', 'later']);
    expect(seen).toEqual([true]);
    expect(isShut((await bench.serversOf(id))[0]!)).toBe(false);
  });
});

it('a restore that the server cannot take in is not tried again, and says what helps', async () => {
  const bench = await open('postgresql');
  let loads = 0;
  bench.engines.postgresql.around = (now, method) => {
    if (now !== 'before' || method !== 'load') return;
    loads++;
    throw new LoadFailed('Line 7: the server ended the session. Choose a larger tier.');
  };
  const { body } = await bench.restore();
  await bench.waitFor(body.id as string, 'failed');
  expect(await bench.read(body.id as string)).toMatchObject({
    error: expect.stringMatching(/^The backup could not be put back: Line 7: .* larger tier/) as string,
  });
  expect(loads).toBe(1);
});

it('a restore whose server ends the session each time says that a larger tier helps', async () => {
  const bench = await open('mysql');
  bench.engines.mysql.around = (now, method) => {
    if (now === 'before' && method === 'load') throw new SessionLost(7, 'Connection was killed', null);
  };
  const { body } = await bench.restore();
  await bench.waitFor(body.id as string, 'failed');
  expect((await bench.read(body.id as string)).error).toMatch(/could not be put back: Line 7: .* larger tier/);
});

describe('POST /api/databases/restore', () => {
  it('400 at once where the data has no room in the size it is given, and names the least that does', async () => {
    const bench = await open('postgresql');
    await bench.use(Math.round(9.8 * GIB));
    for (const size of [{}, { storageGb: 10 }]) {
      const { status, body } = await bench.restore(size);
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringMatching(/needs at least 11 GB of storage.*storageGb: 11 or more/) as string,
      });
    }
    expect(await bench.restore({ storageGb: 11 })).toMatchObject({ status: 201 });
  });

  it('400 where this machine does not have what the database had; a size that it has is taken', async () => {
    const bench = await open('postgresql');
    await bench.change({ tier: 'db-custom-96-655360' });
    expect(await bench.restore()).toMatchObject({ status: 400, body: { message: expect.stringContaining('vCPU') } });
    const restored = await bench.restore({ tier: 'db-g1-small' });
    expect(restored).toMatchObject({ status: 201, body: { tier: 'db-g1-small' } });
    await bench.change({ tier: 'db-f1-micro', storage_gb: 65_000 });
    expect(await bench.restore()).toMatchObject({ status: 400, body: { message: expect.stringContaining('at most') } });
  });
});
