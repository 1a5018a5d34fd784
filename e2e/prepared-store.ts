import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathsOf } from '../server/src/config.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore } from '../server/src/db/pool.ts';
import { run } from '../server/src/lib/exec.ts';
import { lock } from '../server/src/lib/file-lock.ts';
import { findPostgres } from '../server/src/store/binaries.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { ensureStorePassword } from '../server/src/store/store-address.ts';
import { runsAsRoot } from '../server/src/store/store-user.ts';

/**
 * Lays into a new home what a first start makes of the store, up to date and without a row: that takes a good part of a
 * start, and is the same for all. How a platform begins with nothing is tested where a test names the home itself.
 */
export async function layPreparedStore(home: string): Promise<void> {
  const prepared = await prepare();
  const { store } = pathsOf({ home });
  mkdirSync(store, { mode: 0o700 });
  await copy(pathsOf({ home: prepared }).secrets, home);
  await copy(join(pathsOf({ home: prepared }).store, 'data'), store);
}

/** Made by the first who needs it, and kept for whoever runs the same program. */
async function prepare(): Promise<string> {
  const place = join(tmpdir(), `lilac-e2e-store-${nameOfSchema()}`);
  if (existsSync(place)) return place;
  const release = await lock(`${place}.lock`, 120_000);
  try {
    if (existsSync(place)) return place;
    const draft = mkdtempSync(`${place}.new-`);
    await make(draft).catch((error: unknown) => {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    });
    renameSync(draft, place);
    return place;
  } finally {
    release();
  }
}

/** Another for other migrations, another PostgreSQL and another user. */
function nameOfSchema(): string {
  const folder = join(import.meta.dirname, '..', 'server', 'src', 'db', 'migrations');
  const { version } = findPostgres(runsAsRoot);
  const hash = createHash('sha256').update(JSON.stringify([version, HASTY, process.getuid?.()]));
  for (const file of readdirSync(folder).toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Tests kill processes, not the machine: what was written and not yet on the disk is there for the next. */
const HASTY = { fsync: 'off', full_page_writes: 'off' };

async function make(home: string): Promise<void> {
  const { store: directory, storePassword, storeSocket } = pathsOf({ home });
  const password = ensureStorePassword(storePassword);
  const server = await startEmbeddedStore({ directory, logFile: join(home, 'store.log'), password });
  try {
    const address = { kind: 'socket', directory: storeSocket, password } as const;
    const store = openStore(address, { max: 1, applicationName: 'prepare' });
    await migrate(store.db);
    for (const [name, value] of Object.entries(HASTY)) await store.pool.query(`alter system set ${name} = ${value}`);
    await store.close();
  } finally {
    await stopEmbeddedStore(server.process);
  }
}

/** With owners and modes. */
async function copy(from: string, into: string): Promise<void> {
  const { exitCode, stderr } = await run(['cp', '--archive', from, `${into}/`], { env: { PATH: '/usr/bin:/bin' } });
  if (exitCode !== 0) throw new Error(`The prepared store could not be copied: ${stderr}`);
}
