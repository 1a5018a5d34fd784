import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EngineRefused } from '../../engines/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { openPassword } from './password.ts';
import { provisionDatabase } from './provision-database.ts';
import { serversOf } from './server-store.ts';
import { createDatabasesBench, type DatabasesBench } from './testing/databases-bench.ts';
import type { EngineMethod } from './testing/stand-in-engine.ts';

const provisionAgain = (bench: DatabasesBench, databaseId: string) =>
  bench.call('/api/databases/provision', { databaseId });

describe('setting a database up', () => {
  it('makes a server, its accounts, and with high availability a second one', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id } = await bench.create({ haEnabled: true, databaseName: 'shop', adminUser: 'ada' });
    const database = await bench.waitFor(id, 'healthy');
    expect(database).toMatchObject({ step: 'settled', percent: 100, error: null });
    const [primary, standby, ...more] = await bench.serversOf(id);
    const owner = { databaseName: 'shop', user: 'ada', password: openPassword(bench.api.keyring, database) };
    expect(primary).toMatchObject({ isRunning: true, owner, spec: { role: 'primary', port: database.port } });
    expect(standby).toMatchObject({ isRunning: true, owner, spec: { role: 'standby', databaseId: id } });
    expect(more).toEqual([]);
    expect((await serversOf(bench.api.store.db, id)).map(({ is_made }) => is_made)).toEqual([true, true]);
  });

  const steps: [EngineMethod, 'before' | 'after'][] = (
    ['create', 'start', 'createDatabase', 'createStandby', 'probe'] as const
  ).flatMap((method) => [
    [method, 'before'],
    [method, 'after'],
  ]);

  it.each(steps)('that was ended at %s, %s it was done, is finished by the next attempt', async (method, moment) => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create({ haEnabled: true });
    const engine = bench.engines.postgresql;
    const context = { signal: new AbortController().signal, attempt: 1 };
    engine.around = (now, what) => {
      if (now === moment && what === method) throw new Error('Killed');
    };
    await expect(provisionDatabase(bench.deps, { databaseId: id }, context)).rejects.toThrow('Killed');
    expect((await bench.read(id)).status).toBe('provisioning');
    engine.around = () => {};
    await provisionDatabase(bench.deps, { databaseId: id }, { ...context, attempt: 2 });
    expect(await bench.read(id)).toMatchObject({ status: 'healthy', percent: 100 });
    const servers = await bench.serversOf(id);
    expect(servers.map((server) => server?.isRunning)).toEqual([true, true]);
    expect(engine.servers.size).toBe(2);
    expect(servers[0]?.owner).not.toBeNull();
  });

  it('puts the data of a backup in before anybody is told that it is there', async () => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create({ haEnabled: true });
    await bench.api.store.db.updateTable('databases').set({ restore_from: 'bak_1' }).where('id', '=', id).execute();
    const told: string[] = [];
    const restore = async (databaseId: string) => {
      const { status, step } = await bench.read(databaseId);
      told.push(`${status}, ${step}, ${bench.engines.postgresql.calls.join(' ')}`);
      if (told.length === 1) throw new Error('Killed');
    };
    const deps = { ...bench.deps, transfers: { ...bench.deps.transfers, restore } };
    const context = { signal: new AbortController().signal, attempt: 1 };
    await expect(provisionDatabase(deps, { databaseId: id }, context)).rejects.toThrow('Killed');
    await provisionDatabase(deps, { databaseId: id }, context);
    expect(told).toHaveLength(2);
    for (const each of told) expect(each).toMatch(/^provisioning, importing, create start createDatabase/);
    expect(told[1]).not.toContain('createStandby');
    expect((await bench.read(id)).status).toBe('healthy');
  });

  it('goes on under the next worker when one is stopped in the middle', async () => {
    await using bench = await createDatabasesBench();
    const engine = bench.engines.postgresql;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    engine.around = (moment, method) => (moment === 'before' && method === 'start' ? gate : undefined);
    const first = await bench.work();
    const { id } = await bench.create();
    await eventually('it starts the server', () => engine.calls.includes('start'));
    expect(await bench.read(id)).toMatchObject({ status: 'provisioning', step: 'starting the server', percent: 40 });
    const stopping = first.stop({ finishMs: 0 });
    open();
    await stopping;
    await bench.work();
    await bench.waitFor(id, 'healthy');
  });

  it('that the engine refuses fails with its words, and can be tried again', async () => {
    await using bench = await createDatabasesBench();
    bench.engines.postgresql.around = (_moment, method) => {
      if (method === 'start') throw new EngineRefused('The disk is full.');
    };
    await bench.work();
    const { id } = await bench.create();
    expect(await bench.waitFor(id, 'failed')).toMatchObject({
      error: 'The disk is full.',
      step: 'starting the server',
    });
    const refused = await bench.call('/api/databases/update', { databaseId: id, storageGb: 20 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    bench.engines.postgresql.around = () => {};
    expect((await provisionAgain(bench, id)).body).toEqual({ id, status: 'provisioning', error: null });
    expect(await bench.waitFor(id, 'healthy')).toMatchObject({ error: null });
    expect((await provisionAgain(bench, id)).body).toEqual({ id, status: 'healthy', error: null });
    expect((await bench.actions()).filter((action) => action === 'database_provisioned')).toHaveLength(1);
  });

  it('whose data is on another host, or lost, is refused: no empty server takes its place', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id } = await bench.create();
    await bench.waitFor(id, 'healthy');
    bench.engines.postgresql.servers.clear();
    await bench.api.store.db.updateTable('databases').set({ status: 'failed' }).where('id', '=', id).execute();
    await provisionAgain(bench, id);
    expect((await bench.waitFor(id, 'failed')).error).toMatch(/not on the host that keeps databases/);
    expect(bench.engines.postgresql.servers.size).toBe(0);
  });

  it('that fails of our own mistake fails without its words', async () => {
    await using bench = await createDatabasesBench();
    bench.engines.postgresql.around = (_moment, method) => {
      if (method === 'create') throw new TypeError('secrets of the house');
    };
    await bench.work();
    const { id } = await bench.create();
    const { error } = await bench.waitFor(id, 'failed');
    expect(error).toContain('Provision it again');
    expect(error).not.toContain('secrets');
  });

  it('takes another port when somebody has taken the one that was chosen', async () => {
    await using bench = await createDatabasesBench();
    const { id, port } = await bench.create();
    const stranger = createServer().listen(port, '127.0.0.1');
    await once(stranger, 'listening');
    try {
      await bench.work();
      const database = await bench.waitFor(id, 'healthy');
      expect(database.port).not.toBe(port);
      expect((await bench.serversOf(id))[0]?.spec.port).toBe(database.port);
    } finally {
      stranger.close();
    }
  });

  it('fails and keeps its port where its data is on another host', async () => {
    await using bench = await createDatabasesBench();
    const { id, port } = await bench.create();
    const { db } = bench.api.store;
    await db.updateTable('database_servers').set({ is_made: true }).where('database_id', '=', id).execute();
    const stranger = createServer().listen(port, '127.0.0.1');
    await once(stranger, 'listening');
    try {
      const context = { signal: new AbortController().signal, attempt: 1 };
      await provisionDatabase(bench.deps, { databaseId: id }, context);
      const error = expect.stringContaining('not on the host that keeps databases');
      expect(await bench.read(id)).toMatchObject({ status: 'failed', port, error });
    } finally {
      stranger.close();
    }
  });

  it('ends when the database is deleted meanwhile, and leaves nothing', async () => {
    await using bench = await createDatabasesBench();
    const engine = bench.engines.postgresql;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    engine.around = (moment, method) => (moment === 'before' && method === 'start' ? gate : undefined);
    await bench.work();
    const { id } = await bench.create();
    await eventually('it starts the server', () => engine.calls.includes('start'));
    await bench.call('/api/databases/delete', { databaseId: id });
    open();
    await eventually('it is gone', async () => (await bench.read(id)) === null);
    expect(engine.servers.size).toBe(0);
    expect(engine.calls).not.toContain('createDatabase');
  });
});
