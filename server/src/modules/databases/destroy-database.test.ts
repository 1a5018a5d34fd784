import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createApplication, productionOf } from '../../testing/factories.ts';
import { destroyDatabase } from './destroy-database.ts';
import { endStuckDatabases } from './end-stuck-databases.ts';
import { createDatabasesBench } from './testing/databases-bench.ts';

const killed = () => Promise.reject(new Error('Killed'));
const context = { signal: new AbortController().signal };

describe('deleting a database', () => {
  it('removes its servers, its address, its backups, and its row last', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id, port } = await bench.createHealthy({ haEnabled: true });
    const other = await bench.createHealthy();
    expect((await bench.call('/api/databases/delete', { databaseId: id })).status).toBe(200);
    await eventually('it is gone', async () => (await bench.read(id)) === null);
    expect([...bench.engines.postgresql.servers.values()].map(({ spec }) => spec.databaseId)).toEqual([other.id]);
    expect(bench.asked).toMatchObject({ pointed: [[port, null]], removedBackups: [id] });
    expect((await bench.call('/api/databases/get', { databaseId: id })).status).toBe(404);
  });

  it('is refused while environments are connected to it, by their names, unless it is forced', async () => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create();
    const { id: applicationId } = await createApplication(bench.api, { organisationId: bench.owner.organisationId });
    const { id: environmentId, name } = await productionOf(bench.api, applicationId);
    await bench.call('/api/databases/connect', { databaseId: id, environmentId });
    const refused = await bench.call('/api/databases/delete', { databaseId: id });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(refused.body.message).toContain(`${name} (DATABASE_URL)`);
    expect((await bench.read(id)).status).toBe('provisioning');
    const done = await bench.call('/api/databases/delete', { databaseId: id, force: true });
    expect(done).toMatchObject({ status: 200, body: { message: expect.stringContaining('(DATABASE_URL)') as string } });
    expect((await bench.actions()).slice(-2)).toEqual(['database_disconnected', 'database_deleted']);
    // A variable of that name is the environment's own again.
    const environmentVars = { DATABASE_URL: 'mine' };
    expect((await bench.call('/api/environments/update', { environmentId, environmentVars })).status).toBe(200);
  });

  it.each(['destroy', 'address', 'backups'])(
    'that was ended at its %s is finished by the next attempt',
    async (where) => {
      await using bench = await createDatabasesBench();
      const worker = await bench.work();
      const { id } = await bench.createHealthy({ haEnabled: true });
      await worker.stop();
      await bench.call('/api/databases/delete', { databaseId: id });
      bench.engines.postgresql.around = (moment, method) => {
        if (where === 'destroy' && moment === 'after' && method === 'destroy') throw new Error('Killed');
      };
      const doomed = {
        ...bench.deps,
        ...(where === 'address' && { addresses: { point: killed } }),
        ...(where === 'backups' && { transfers: { ...bench.deps.transfers, removeBackups: killed } }),
      };
      await expect(destroyDatabase(doomed, { databaseId: id }, context)).rejects.toThrow('Killed');
      expect((await bench.read(id)).status).toBe('deleting');
      bench.engines.postgresql.around = () => {};
      await destroyDatabase(bench.deps, { databaseId: id }, context);
      expect(await bench.read(id)).toBeNull();
      expect(bench.engines.postgresql.servers.size).toBe(0);
    },
  );
});

describe('a database whose job is lost', () => {
  it.each([
    ['provisioning', 'failed', 'Provision it again'],
    ['updating', 'degraded', 'Try again'],
  ] as const)('does not stay %s', async (status, end, words) => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create();
    const { db, pool } = bench.api.store;
    await endStuckDatabases(bench.deps);
    expect((await bench.read(id)).status).toBe('provisioning');
    await pool.query('delete from jobs');
    await db.updateTable('databases').set({ status }).where('id', '=', id).execute();
    await endStuckDatabases(bench.deps);
    const database = await bench.read(id);
    expect(database.status).toBe(end);
    expect(database.error).toContain(words);
  });

  it('is deleted all the same', async () => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create();
    await bench.call('/api/databases/delete', { databaseId: id });
    await bench.api.store.pool.query('delete from jobs');
    await endStuckDatabases(bench.deps);
    await bench.work();
    await eventually('it is gone', async () => (await bench.read(id)) === null);
    expect(bench.asked.removedBackups).toEqual([id]);
  });
});
