import { describe, expect, it } from 'vitest';
import { EngineRefused } from '../../engines/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { changePassword } from './change-password.ts';
import { openPassword, sealPassword } from './password.ts';
import { createDatabasesBench, type DatabasesBench } from './testing/databases-bench.ts';

const rotate = (bench: DatabasesBench, databaseId: string, newPassword?: string) =>
  bench.call('/api/databases/rotate-password', { databaseId, newPassword });

describe('POST /api/databases/rotate-password', () => {
  it('answers with the new address once the server knows the password; applications are renewed', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id, port } = await bench.createHealthy({ databaseName: 'shop', adminUser: 'ada' });
    const given = await rotate(bench, id, 'correct-horse-battery');
    expect(given).toMatchObject({
      status: 200,
      body: { connectionString: `postgresql://ada:correct-horse-battery@localhost:${port}/shop?sslmode=require` },
    });
    expect((await bench.serversOf(id))[0]?.owner?.password).toBe('correct-horse-battery');
    expect(await bench.read(id)).toMatchObject({ status: 'healthy', next_password: null, error: null });
    const made = new URL((await rotate(bench, id)).body.connectionString as string);
    expect(made.password).toHaveLength(32);
    expect((await bench.serversOf(id))[0]?.owner?.password).toBe(made.password);
    const { connectionString } = (await bench.call('/api/databases/connection-string', { databaseId: id })).body;
    expect(connectionString).toBe(made.href);
    await eventually('its applications are renewed', () => bench.asked.renewed.length === 2);
    expect((await bench.actions()).filter((action) => action === 'database_password_rotated')).toHaveLength(2);
  });

  it.each(['short', 'has a space in it', "has-a-quote-'", String.raw`has-a-backslash\ `])(
    '400 for "%s"',
    async (password) => {
      await using bench = await createDatabasesBench();
      const { id } = await bench.create();
      expect(await rotate(bench, id, password)).toMatchObject({ status: 400, body: { code: 'VA001' } });
    },
  );

  it('409 while it is being set up, or another rotation is under way', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id } = await bench.createHealthy();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    bench.engines.postgresql.around = (moment, method) =>
      moment === 'before' && method === 'setPassword' ? gate : undefined;
    const first = rotate(bench, id);
    await eventually('it is being changed', async () => (await bench.read(id)).status === 'updating');
    expect(await rotate(bench, id)).toMatchObject({ status: 409, body: { code: 'CF001' } });
    open();
    expect((await first).status).toBe(200);
    const other = await bench.create();
    expect((await rotate(bench, other.id)).status).toBe(409);
  });

  it('keeps what was wrong with it before', async () => {
    await using bench = await createDatabasesBench();
    await bench.work();
    const { id } = await bench.createHealthy();
    const degraded = { status: 'degraded', error: 'Its standby is being made.' } as const;
    await bench.api.store.db.updateTable('databases').set(degraded).where('id', '=', id).execute();
    expect((await rotate(bench, id)).status).toBe(200);
    expect(await bench.read(id)).toMatchObject(degraded);
  });

  it.each(['before', 'after'] as const)(
    'that is ended %s the server took it sets the same password again',
    async (moment) => {
      await using bench = await createDatabasesBench();
      const worker = await bench.work();
      const { id } = await bench.createHealthy();
      await worker.stop();
      const { store, keyring } = bench.api;
      const sealed = sealPassword(keyring, { databaseId: id, column: 'next_password', password: 'another-horse' });
      const updating = { next_password: sealed, status: 'updating' } as const;
      await store.db.updateTable('databases').set(updating).where('id', '=', id).execute();
      const run = () =>
        changePassword(
          bench.deps,
          { databaseId: id, before: { status: 'healthy', error: null } },
          { signal: new AbortController().signal },
        );
      bench.engines.postgresql.around = (now, method) => {
        if (now === moment && method === 'setPassword') throw new Error('Killed');
      };
      await expect(run()).rejects.toThrow('Killed');
      bench.engines.postgresql.around = () => {};
      await run();
      const database = await bench.read(id);
      expect(database).toMatchObject({ status: 'healthy', next_password: null });
      expect(openPassword(keyring, database)).toBe('another-horse');
      expect((await bench.serversOf(id))[0]?.owner?.password).toBe('another-horse');
      await run();
      expect(openPassword(keyring, await bench.read(id))).toBe('another-horse');
    },
  );

  it('that the server refuses for good says so, and what to do', async () => {
    await using bench = await createDatabasesBench();
    const { id } = await bench.create();
    bench.engines.postgresql.around = (_moment, method) => {
      if (method === 'setPassword') throw new EngineRefused('It does not answer.');
    };
    await bench.work();
    await bench.waitFor(id, 'healthy');
    // Its attempts are used up but for the last.
    const answer = rotate(bench, id);
    await eventually('it was tried', () => bench.engines.postgresql.calls.includes('setPassword'));
    await bench.api.store.pool.query(
      `update jobs set attempt = 7, run_at = now() where kind = 'databases.rotate-password'`,
    );
    expect(await answer).toMatchObject({ status: 503, body: { code: 'SV002' } });
    const database = await bench.read(id);
    expect(database).toMatchObject({ status: 'degraded', next_password: null });
    expect(database.error).toContain('Rotate it again');
    expect((await bench.actions()).at(-1)).toBe('database_change_failed');
  });
});
