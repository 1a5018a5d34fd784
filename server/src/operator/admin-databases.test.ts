import { describe, expect, it } from 'vitest';
import { openHostBench, remainsOf } from '../engines/host/testing/host-bench.ts';
import { createDatabase, createOwner } from '../testing/factories.ts';
import { startApi } from '../testing/harness.ts';
import { openOperatorBench } from '../testing/operator-bench.ts';
import { cleaningLines, tableOf, withNames } from './admin-databases.ts';
import { listKnownServers } from './known-servers-store.ts';

it('lists servers with a head, and by the names of the store where it can be read', async () => {
  await using api = await startApi();
  const { organisationId } = await createOwner(api);
  const { id: databaseId } = await createDatabase(api, { organisationId });
  await api.store.db.updateTable('organisations').set({ name: 'Flowers\n' }).where('id', '=', organisationId).execute();
  await api.store.db.updateTable('databases').set({ name: 'Shop' }).where('id', '=', databaseId).execute();
  const server = (id: string, role: 'primary' | 'standby', port: number) => ({
    id,
    database_id: databaseId,
    role,
    port,
  });
  await api.store.db.deleteFrom('database_servers').execute();
  await api.store.db
    .insertInto('database_servers')
    .values([server('dbs_b', 'standby', 1), server('dbs_a', 'primary', 2)])
    .execute();
  const own = { type: 'postgresql', databaseId, isRunning: true } as const;
  const stray = { type: 'mysql', databaseId: 'db_gone', serverId: 'dbs_c', isRunning: false } as const;
  const lines = [{ ...own, serverId: 'dbs_b' }, { ...own, serverId: 'dbs_a' }, stray];
  const pad = ' '.repeat(databaseId.length - 'db_gone'.length);
  const head = `ORGANISATION  NAME  DATABASE${' '.repeat(databaseId.length - 8)}  SERVER  ROLE     TYPE        STATE`;
  expect(tableOf(withNames(lines, { seen: await listKnownServers(api.store.db) }))).toEqual([
    head,
    `-             -     db_gone${pad}  dbs_c   -        mysql       stopped`,
    `Flowers       Shop  ${databaseId}  dbs_a   primary  postgresql  running`,
    `Flowers       Shop  ${databaseId}  dbs_b   standby  postgresql  running`,
  ]);
  const unknown = withNames([stray], { unseen: 'not running' });
  expect(unknown).toEqual([{ ...stray, role: null, name: null, organisation: null }]);
});

it('tells what it cleaned, and nothing of what was clean', () => {
  expect(cleaningLines({ unmounted: 0, wereRulesRemoved: false })).toEqual([]);
  expect(cleaningLines({ unmounted: 1, wereRulesRemoved: false })).toEqual(['One volume was unmounted.']);
  expect(cleaningLines({ unmounted: 3, wereRulesRemoved: true })).toEqual([
    '3 volumes were unmounted.',
    'The rules for the ports of databases were removed from the network.',
  ]);
});

describe.runIf(process.getuid?.() === 0)('lilac admin databases stop', () => {
  it('ends servers, leaves no mounts, and says so; the list mounts nothing either', async () => {
    await using bench = await openOperatorBench();
    await bench.createOwner();
    await using servers = await openHostBench({ home: bench.home, keepHome: true });
    await servers.launch(await servers.take(), "trap 'exit' INT; while :; do sleep 0.02; done");
    const { exitCode, out } = await bench.lilac(['admin', 'databases', 'stop']);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/dbs_1 .* stopped\nOne volume was unmounted\.\n$/);
    const mounted = () => remainsOf(bench.home, 'dbs_1').filter((line) => !line.startsWith('lilac-'));
    expect(mounted()).toEqual([]);
    expect((await bench.lilac(['admin', 'databases', 'list'])).out).toMatch(/db_1 .* dbs_1 .* stopped/);
    expect((await bench.lilac(['admin', 'databases', 'stop'])).out).toBe('No database is running on this machine.\n');
    expect(mounted()).toEqual([]);
  });
});
