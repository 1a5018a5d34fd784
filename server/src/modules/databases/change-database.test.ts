import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseRow } from '../../db/schema.ts';
import { EngineRefused } from '../../engines/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { changeDatabase } from './change-database.ts';
import { serverColumnsOf } from './database-change.ts';
import { createDatabasesBench, type DatabasesBench } from './testing/databases-bench.ts';
import type { EngineMethod } from './testing/stand-in-engine.ts';

let bench: DatabasesBench;
beforeAll(async () => {
  bench = await createDatabasesBench();
  await bench.work();
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => {
  bench.engines.postgresql.around = () => {};
});

const update = (databaseId: string, body: object) => bench.call('/api/databases/update', { databaseId, ...body });
const settled = (id: string) => bench.waitFor(id, 'healthy');

/** However it ended. */
async function settledOf(other: DatabasesBench, id: string): Promise<DatabaseRow> {
  await eventually('it has ended', async () => (await other.read(id)).status !== 'updating');
  return other.read(id);
}

describe('POST /api/databases/update', () => {
  it('answers what was changed and nothing else, and leaves no trace of what was so already', async () => {
    const { id } = await bench.createHealthy({ storageGb: 5 });
    expect((await update(id, { name: ' Other ', storageGb: 5 })).body).toEqual({
      id,
      name: 'Other',
      status: 'healthy',
    });
    expect((await bench.actions()).at(-1)).toBe('database_renamed');
    const told = (await bench.actions()).length;
    const same = {
      name: 'Other',
      storageGb: 5,
      tier: 'db-f1-micro',
      haEnabled: false,
      region: 'local',
      authorizedNetworks: [],
    };
    expect((await update(id, same)).body).toEqual({ id, status: 'healthy' });
    expect((await bench.actions()).length).toBe(told);
    expect((await update(id, { storageGb: 6, tier: 'db-g1-small' })).body).toEqual({
      id,
      storage_gb: 6,
      tier: 'db-g1-small',
      status: 'updating',
    });
    expect((await bench.actions()).at(-1)).toBe('database_updated');
    expect(await settled(id)).toMatchObject({ storage_gb: 6, tier: 'db-g1-small', step: 'settled', error: null });
  });

  it.each([
    [{ storageGb: 9 }, 'can only grow'],
    [{ storageGb: 65_536 }, 'This machine can give at most'],
    [{ tier: 'db-custom-1-1000' }, 'steps of 256 MB'],
    [{ region: 'elsewhere' }, 'region'],
    [{ authorizedNetworks: ['1.2.3.4/40'] }, '1.2.3.4/40'],
    [{}, 'Say what to change'],
  ])('400 for %j', async (body, words) => {
    const { id } = await bench.createHealthy();
    const answer = await update(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(answer.body.message).toContain(words);
    expect((await bench.read(id)).status).toBe('healthy');
  });

  it('400 for a network that MySQL cannot tell from others', async () => {
    const { id } = await bench.createHealthy({ databaseType: 'mysql' });
    const answer = await update(id, { authorizedNetworks: ['2001:db8::/33'] });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(answer.body.message).toContain('MySQL databases cannot be limited to the network 2001:db8::/33');
    expect((await bench.read(id)).status).toBe('healthy');
  });

  it('grows and lets in without a restart', async () => {
    const { id } = await bench.createHealthy();
    const { calls } = bench.engines.postgresql;
    const before = calls.length;
    await update(id, { storageGb: 20, authorizedNetworks: ['10.1.2.3/8'] });
    await settled(id);
    const [server] = await bench.serversOf(id);
    expect(server).toMatchObject({ storageGb: 20, spec: { access: { networks: ['10.0.0.0/8'] } } });
    await update(id, { publicIpEnabled: false });
    await settled(id);
    expect((await bench.serversOf(id))[0]?.spec.access.networks).toEqual([]);
    expect(calls.slice(before)).not.toContain('stop');
  });

  it('restarts for another tier, the standby first, and adds and removes the standby', async () => {
    const { id } = await bench.createHealthy();
    await update(id, { haEnabled: true });
    await settled(id);
    expect((await bench.serversOf(id)).map((server) => server?.spec.role)).toEqual(['primary', 'standby']);
    const stopped: string[] = [];
    bench.engines.postgresql.around = (moment, method, server) => {
      if (method === 'stop' && moment === 'after')
        stopped.push(bench.engines.postgresql.servers.get(server)!.spec.role);
    };
    await update(id, { tier: 'db-g1-small' });
    await settled(id);
    expect(stopped).toEqual(['standby', 'primary']);
    expect((await bench.serversOf(id)).map((server) => [server?.tierMb, server?.isRunning])).toEqual([
      [1740, true],
      [1740, true],
    ]);
    await update(id, { haEnabled: false });
    await settled(id);
    expect(await bench.serversOf(id)).toHaveLength(1);
    expect(bench.engines.postgresql.servers.has((await bench.serversOf(id))[0]!.spec.id)).toBe(true);
  });

  it('takes another size for one whose server does not start, which may be what it needs', async () => {
    await using ill = await createDatabasesBench();
    await ill.work();
    const { id: databaseId } = await ill.createHealthy();
    const [server] = await ill.serversOf(databaseId);
    const failed = { status: 'failed', error: 'Its server is down.' } as const;
    server!.isRunning = false;
    ill.engines.postgresql.around = (moment, method) => {
      if (method === 'start' && moment === 'before' && server!.storageGb < 20) throw new EngineRefused('No room.');
    };
    await ill.api.store.db.updateTable('databases').set(failed).where('id', '=', databaseId).execute();
    expect((await ill.call('/api/databases/update', { databaseId, haEnabled: false, storageGb: 20 })).status).toBe(200);
    expect(await settledOf(ill, databaseId)).toMatchObject({ status: 'healthy', storage_gb: 20, error: null });
    expect(server!.isRunning).toBe(true);
  });

  it('leaves one that failed as it was, where the change does not help', async () => {
    await using ill = await createDatabasesBench();
    await ill.work();
    const { id: databaseId } = await ill.createHealthy();
    (await ill.serversOf(databaseId))[0]!.isRunning = false;
    ill.engines.postgresql.around = (_moment, method) => {
      if (method === 'start') throw new EngineRefused('Broken files.');
    };
    await ill.api.store.db.updateTable('databases').set({ status: 'failed' }).where('id', '=', databaseId).execute();
    await ill.call('/api/databases/update', { databaseId, tier: 'db-g1-small' });
    expect(await settledOf(ill, databaseId)).toMatchObject({
      status: 'failed',
      tier: 'db-f1-micro',
      error: expect.stringContaining('Broken files.') as string,
    });
    expect((await ill.actions()).slice(-2)).toEqual(['database_updated', 'database_change_failed']);
  });

  it('409 for one that was never set up', async () => {
    await using idle = await createDatabasesBench();
    const { id: databaseId } = await idle.create();
    await idle.api.store.db.updateTable('databases').set({ status: 'failed' }).where('id', '=', databaseId).execute();
    const refused = await idle.call('/api/databases/update', { databaseId, storageGb: 20 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(refused.body.message).toContain('Provision it again');
  });

  it('409 while it is being set up or changed', async () => {
    await using idle = await createDatabasesBench();
    const { id: databaseId } = await idle.create();
    const body = { databaseId, storageGb: 20 };
    expect((await idle.call('/api/databases/update', body)).body.message).toContain('being set up');
    const worker = await idle.work();
    await idle.waitFor(databaseId, 'healthy');
    await worker.stop();
    expect((await idle.call('/api/databases/update', body)).status).toBe(200);
    const refused = await idle.call('/api/databases/update', { ...body, storageGb: 30 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await idle.call('/api/databases/update', { databaseId, name: 'Renamed' })).status).toBe(200);
    expect((await idle.call('/api/databases/rotate-password', { databaseId })).status).toBe(409);
  });

  it('that fails is taken back: the database is what it was, and says why', async () => {
    const { id } = await bench.createHealthy({ haEnabled: false });
    bench.engines.postgresql.around = (moment, method, server) => {
      const isNew = bench.engines.postgresql.servers.get(server)?.spec.size.memoryMb === 1740;
      if (method === 'start' && moment === 'after' && isNew) throw new EngineRefused('Not enough memory.');
    };
    await update(id, { tier: 'db-g1-small', haEnabled: true, authorizedNetworks: ['10.0.0.0/8'] });
    const database = await settled(id);
    expect(database).toMatchObject({ tier: 'db-f1-micro', ha_enabled: false, authorized_networks: [] });
    expect(database.error).toContain('Not enough memory.');
    const servers = await bench.serversOf(id);
    expect(servers).toMatchObject([
      { isRunning: true, tierMb: 614, spec: { access: { networks: ['0.0.0.0/0', '::/0'] } } },
    ]);
    bench.engines.postgresql.around = () => {};
    await update(id, { tier: 'db-g1-small' });
    expect(await settled(id)).toMatchObject({ tier: 'db-g1-small', error: null });
  });
});

describe('storage that cannot be had', () => {
  it('leaves the database healthy as it was, and tells why', async () => {
    const { id } = await bench.createHealthy({ storageGb: 5 });
    bench.engines.postgresql.around = (moment, method) => {
      if (method === 'grow' && moment === 'before') throw new EngineRefused('This machine cannot give 20 GB.');
    };
    await update(id, { storageGb: 20 });
    expect(await settled(id)).toMatchObject({
      storage_gb: 5,
      error: 'The change failed, and all is as it was before: This machine cannot give 20 GB.',
    });
    expect(await bench.serversOf(id)).toMatchObject([{ isRunning: true, storageGb: 5 }]);
  });
});

describe('a change that is ended in the middle', () => {
  const all = { tier: 'db-g1-small', storage_gb: 30, ha_enabled: true, public_ip_enabled: false } as const;
  const methods: EngineMethod[] = ['grow', 'setAccess', 'stop', 'start', 'createStandby', 'probe'];

  it.each(methods.flatMap((method) => [[method, 'before'] as const, [method, 'after'] as const]))(
    'at %s, %s it was done, is finished by the next attempt',
    async (method, moment) => {
      const before = await bench.createHealthy();
      const { id } = before;
      const updating = { ...all, status: 'updating' } as const;
      await bench.api.store.db.updateTable('databases').set(updating).where('id', '=', id).execute();
      const settledBefore = { ...serverColumnsOf(before), status: 'healthy', error: null } as const;
      const run = (attempt: number) =>
        changeDatabase(
          bench.deps,
          { databaseId: id, before: settledBefore },
          { signal: new AbortController().signal, attempt },
        );
      bench.engines.postgresql.around = (now, what) => {
        if (now === moment && what === method) throw new Error('Killed');
      };
      await expect(run(1)).rejects.toThrow('Killed');
      bench.engines.postgresql.around = () => {};
      await run(2);
      expect(await bench.read(id)).toMatchObject({
        ...all,
        status: 'healthy',
        error: null,
      } satisfies Partial<DatabaseRow>);
      const servers = await bench.serversOf(id);
      expect(servers.map((server) => [server?.isRunning, server?.tierMb, server?.storageGb])).toEqual([
        [true, 1740, 30],
        [true, 1740, 30],
      ]);
      const ours = [...bench.engines.postgresql.servers.values()].filter(({ spec }) => spec.databaseId === id);
      expect(ours).toHaveLength(2);
    },
  );
});
