import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openStore, type Store } from '../db/pool.ts';
import { TEMPLATE_DATABASE } from './store-for-tests.ts';

export interface TestStore extends Store, AsyncDisposable {
  url: string;
}

/**
 * A migrated, empty database of its own on the run's real PostgreSQL: `await using store = await createTestStore()`.
 */
export async function createTestStore(options: { migrated?: boolean } = {}): Promise<TestStore> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = options.migrated === false ? 'template0' : TEMPLATE_DATABASE;
  // Files are copied as they are, instead of page by page through the log: half of the work.
  const from = `template ${template} strategy file_copy`;
  await administrator().query(`create database ${name} ${from}`);
  const url = inject('testStoreUrl').replace('/postgres?', `/${name}?`);
  const store = openStore({ kind: 'url', url }, { max: 10, applicationName: name });
  return {
    ...store,
    url,
    async [Symbol.asyncDispose]() {
      await store.close();
      await administrator().query(`drop database ${name} with (force)`);
    },
  };
}

/** Every test makes and drops databases: the sessions for that are kept, for as long as the process. */
const administrators = new Map<string, pg.Pool>();

function administrator(): pg.Pool {
  const url = inject('testStoreUrl');
  const known = administrators.get(url);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The store may end before this process.
  pool.on('error', () => {});
  administrators.set(url, pool);
  return pool;
}
