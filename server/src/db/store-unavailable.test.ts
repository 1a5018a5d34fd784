import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore, type StoreAddress } from './pool.ts';
import { createTestStore } from '../testing/test-store.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('isStoreUnavailable', () => {
  it.each<StoreAddress>([
    { kind: 'socket', directory: '/nowhere/at/all', password: 'x' },
    { kind: 'url', url: 'postgresql://nobody:x@127.0.0.1:1/nothing' },
    { kind: 'url', url: 'postgresql://nobody:x@localhost:1/nothing' },
    { kind: 'url', url: 'postgresql://nobody:x@nowhere.invalid/nothing' },
  ])('holds where nobody listens (%o)', async (address) => {
    const store = openStore(address, { max: 1, applicationName: 'test' });
    expect(isStoreUnavailable(await failureOf(store.pool.query('select 1')))).toBe(true);
    await store.close();
  });

  it('holds for a statement whose connection the server ended', async () => {
    await using store = await createTestStore();
    const client = new pg.Client({ connectionString: store.url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const sleeping = failureOf(client.query('select pg_sleep(60)'));
    await store.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    expect(isStoreUnavailable(await sleeping)).toBe(true);
    expect(isStoreUnavailable(await failureOf(client.query('select 1')))).toBe(true);
  });

  it('does not hold for mistakes of ours', async () => {
    await using store = await createTestStore();
    expect(isStoreUnavailable(await failureOf(store.pool.query('select nonsense')))).toBe(false);
    const missingFile = await failureOf(Promise.resolve().then(() => readFileSync('/nowhere/at/all')));
    expect(missingFile).toMatchObject({ code: 'ENOENT' });
    expect(isStoreUnavailable(missingFile)).toBe(false);
    expect(isStoreUnavailable('text')).toBe(false);
  });
});
