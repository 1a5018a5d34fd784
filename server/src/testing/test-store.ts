import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openStore, type Store } from '../db/pool.ts';
import { TEMPLATE_DATABASE } from './store-for-tests.ts';

export interface TestStore extends Store, AsyncDisposable {
  url: string;
}

/** A migrated, empty database of its own on the run's real PostgreSQL: `await using store = await createTestStore()`. */
export async function createTestStore(options: { migrated?: boolean } = {}): Promise<TestStore> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = options.migrated === false ? 'template0' : TEMPLATE_DATABASE;
  // Files are copied as they are, instead of page by page through the log: half of the work.
  const from = `template ${template} strategy file_copy`;
  await asAdministrator((admin) => admin.query(`create database ${name} ${from}`));
  const url = inject('testStoreUrl').replace('/postgres?', `/${name}?`);
  const store = openStore({ kind: 'url', url }, { max: 10, applicationName: name });
  return {
    ...store,
    url,
    async [Symbol.asyncDispose]() {
      await store.close();
      await asAdministrator((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

async function asAdministrator(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('testStoreUrl') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
