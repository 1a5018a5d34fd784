import { expect, it } from 'vitest';
import { createDatabase, createOwner } from '../testing/factories.ts';
import { startApi } from '../testing/harness.ts';
import { tableOf, withNames } from './admin-databases.ts';
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
