import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import { connectionOf, openStore } from '../db/pool.ts';
import { identify, isAlive } from '../lib/process-identity.ts';
import { dataDirectoryOf, findRunning, startEmbeddedStore, stopEmbeddedStore } from '../store/embedded-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testStoreUrl: string;
  }
}

/** Every test database is a copy of this one, so migrations run once. */
export const TEMPLATE_DATABASE = 'migrated_template';

/** Starts the real embedded PostgreSQL for one test run and ends it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await makeHome();
  const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'only-for-tests' };
  const server = await startEmbeddedStore(options);
  const socket = dataDirectoryOf(options);
  const admin = new pg.Client(connectionOf({ kind: 'socket', directory: socket, password: options.password }));
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await hasten(admin, options.password);
  await admin.end();
  const urlOf = (database: string) =>
    `postgresql://lilac:${options.password}@/${database}?host=${encodeURIComponent(socket)}`;
  const template = openStore({ kind: 'url', url: urlOf(TEMPLATE_DATABASE) }, { max: 1, applicationName: 'template' });
  await migrate(template.db);
  await template.close();
  await warm(urlOf(TEMPLATE_DATABASE));
  project.provide('testStoreUrl', urlOf('postgres'));
  return async () => {
    await stopEmbeddedStore(server.process);
    rmSync(home, { recursive: true, force: true });
  };
}

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** A database is hundreds of files, and there is one for every test: in memory, where there is room, that is cheap. */
async function makeHome(): Promise<string> {
  await sweepMemory();
  const { pid, startTime } = identify(process.pid)!;
  const parent = freeBytes(MEMORY) > ENOUGH_BYTES ? MEMORY : tmpdir();
  return mkdtempSync(join(parent, `lilac-test-${pid}-${startTime}-`));
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Unlike files elsewhere, what a killed run has left there takes memory until the machine is restarted. */
async function sweepMemory(): Promise<void> {
  if (freeBytes(MEMORY) === 0) return;
  for (const name of readdirSync(MEMORY)) {
    const [, pid, startTime] = /^lilac-test-(\d+)-(\d+)-/.exec(name) ?? [];
    if (!startTime || isAlive({ pid: Number(pid), startTime })) continue;
    const store = findRunning({ directory: join(MEMORY, name, 'store') });
    if (store) await stopEmbeddedStore(store);
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** The first to come after a change of the schema writes down what every session reads first; copies have that too. */
async function warm(url: string): Promise<void> {
  const first = new pg.Client({ connectionString: url });
  await first.connect();
  await first.end();
}

/** Nothing of it outlives the run, and nothing in it is worth guarding. */
const SETTINGS: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: "'256MB'",
  // Proving a password is most of what a connection costs; it is proved all the same.
  scram_iterations: '1',
};

async function hasten(admin: pg.Client, password: string): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS)) await admin.query(`alter system set ${name} = ${value}`);
  await admin.query('select pg_reload_conf()');
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role lilac password '${password}'`);
}
