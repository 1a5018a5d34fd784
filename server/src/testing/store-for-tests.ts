import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import { connectionOf, openStore } from '../db/pool.ts';
import { dataDirectoryOf, startEmbeddedStore, stopEmbeddedStore } from '../store/embedded-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testStoreUrl: string;
  }
}

/** Every test database is a copy of this one, so migrations run once. */
export const TEMPLATE_DATABASE = 'migrated_template';

/** Starts the real embedded PostgreSQL for one test run and ends it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-test-'));
  const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'only-for-tests' };
  const server = await startEmbeddedStore(options);
  const socket = dataDirectoryOf(options);
  const admin = new pg.Client(connectionOf({ kind: 'socket', directory: socket, password: options.password }));
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.end();
  const urlOf = (database: string) =>
    `postgresql://lilac:${options.password}@/${database}?host=${encodeURIComponent(socket)}`;
  const template = openStore({ kind: 'url', url: urlOf(TEMPLATE_DATABASE) }, { max: 1, applicationName: 'template' });
  await migrate(template.db);
  await template.close();
  project.provide('testStoreUrl', urlOf('postgres'));
  return async () => {
    await stopEmbeddedStore(server.process);
    rmSync(home, { recursive: true, force: true });
  };
}
