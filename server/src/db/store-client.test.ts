import { describe, expect, it, type TestContext } from 'vitest';
import { publishRoute } from '../routing/route-store.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openStore, type Db } from './pool.ts';
import { takeTime } from './store-client.ts';
import { sql } from 'kysely';

/** What only matters to the network is not shown of the socket that the proxy has behind it. */
const SETTING = 'client_connection_check_interval';

async function openFar({ onTestFinished }: TestContext, options = '') {
  const direct = await createTestStore();
  const proxy = await startSilentProxy(direct.url);
  const store = openStore({ kind: 'url', url: proxy.url + options }, { max: 2, applicationName: 'far' });
  onTestFinished(async () => {
    await store.close();
    await proxy[Symbol.asyncDispose]();
    await direct[Symbol.asyncDispose]();
  });
  return { direct, store };
}

const settingOf = async (db: Db, name: string) =>
  (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;

describe('a connection to a store of another machine', () => {
  it('has the store look for us, be it of the pool or of somebody’s own', async (context) => {
    const { direct, store } = await openFar(context);
    const client = store.newClient();
    await client.connect();
    await takeTime(client);
    expect([await settingOf(store.db, SETTING), await settingOf(store.dbOn(client), SETTING)]).toEqual(['2s', '2s']);
    expect(await settingOf(direct.db, SETTING)).toBe('0');
    await client.end();
  });

  it('leaves what the operator has set', async (context) => {
    const { store } = await openFar(context, `?options=${encodeURIComponent('-c statement_timeout=61s')}`);
    expect(await settingOf(store.db, 'statement_timeout')).toBe('61s');
    expect(await settingOf(store.db, SETTING)).toBe('2s');
  });

  it('that cannot be made is told to who asks', async (context) => {
    const { direct } = await openFar(context);
    const proxy = await startSilentProxy(direct.url);
    await proxy[Symbol.asyncDispose]();
    const store = openStore({ kind: 'url', url: proxy.url }, { max: 1, applicationName: 'nowhere' });
    await expect(store.pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
    await expect(store.newClient().connect()).rejects.toThrow('ECONNREFUSED');
    await store.close();
  });
});

it('who has taken the turn to publish is not waited for when it stands still', async () => {
  await using store = await createTestStore();
  const idle = 'idle_in_transaction_session_timeout';
  await store.db.transaction().execute(async (tx) => {
    await publishRoute(tx, { environmentId: 'env_1', subdomain: 'one' });
    expect(await settingOf(tx, idle)).toBe('30s');
  });
  expect(await settingOf(store.db, idle)).toBe('0');
});
