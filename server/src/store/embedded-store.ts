import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../lib/exec.ts';
import { lock } from '../lib/file-lock.ts';
import { endProcess, identify, isAlive, type ProcessIdentity } from '../lib/process-identity.ts';
import { findPostgres, type PostgresBinaries } from './binaries.ts';
import { initialiseData } from './initialise-data.ts';
import { keepLogSmall } from './keep-log-small.ts';
import { findServer, isReady, removeStaleLockFiles, waitUntilLeft } from './postmaster-file.ts';
import { dataArgument, runsAsRoot, STORE_UID, userOptions } from './store-user.ts';

/**
 * The embedded PostgreSQL: one server on one data folder, reached through a unix socket in that
 * folder and by nothing else. It is detached, so it survives whoever started it.
 */
export interface EmbeddedStoreOptions {
  /** LILAC_HOME/store: holds `data/`; ours alone. */
  directory: string;
  logFile: string;
  password: string;
  /** Gives up starting. */
  signal?: AbortSignal;
}

export interface RunningStore {
  process: ProcessIdentity;
  /** True when it was already running: an earlier supervisor was killed, or an operator's command started it. */
  adopted: boolean;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '32MB',
  max_connections: '100',
  io_method: 'sync',
  jit: 'off',
  // Few and small tables: fewer background processes are enough.
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '2',
  autovacuum_max_workers: '1',
  autovacuum_worker_slots: '2',
  max_logical_replication_workers: '0',
  // Room for what nobody here uses: serializable transactions.
  max_pred_locks_per_transaction: '10',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  // What would follow are values of rows.
  log_error_verbosity: 'terse',
};

const LEAVE_MS = 10_000;

export function dataDirectoryOf(options: Pick<EmbeddedStoreOptions, 'directory'>): string {
  return join(options.directory, 'data');
}

/** Starts the server, or adopts the one that runs on this data already. Never starts a second one. */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<RunningStore> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const release = await lock(join(options.directory, 'start.lock'), 60_000);
  try {
    const running = findRunning(options);
    if (running) {
      await waitUntilReady(options, running);
      return { process: running, adopted: true };
    }
    const binaries = findPostgres(runsAsRoot);
    await initialiseData({ ...options, data: dataDirectoryOf(options), binaries });
    await waitUntilLeft(dataDirectoryOf(options), LEAVE_MS);
    const started = launch(options, binaries);
    await waitUntilReady(options, started);
    return { process: started, adopted: false };
  } finally {
    release();
  }
}

/** Lets running transactions go, then insists. */
export async function stopEmbeddedStore(store: ProcessIdentity): Promise<void> {
  await endProcess(store, [
    { signal: 'SIGINT', waitMs: 3000 },
    { signal: 'SIGQUIT', waitMs: 800 },
    { signal: 'SIGKILL', waitMs: 500 },
  ]);
}

/** The server that has this data open, whoever started it. */
export function findRunning(options: Pick<EmbeddedStoreOptions, 'directory'>): ProcessIdentity | null {
  return findServer(dataDirectoryOf(options));
}

function launch(options: EmbeddedStoreOptions, binaries: PostgresBinaries): ProcessIdentity {
  const data = dataDirectoryOf(options);
  removeStaleLockFiles(data);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: dataArgument(data) });
  const output = openLog(options.logFile);
  const child = start(
    [binaries.postgres, '-D', dataArgument(data), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { cwd: data, env: {}, detached: true, stdio: ['ignore', output, output], ...userOptions(STORE_UID) },
  );
  closeSync(output);
  child.unref();
  child.once('error', () => {});
  const started = child.pid === undefined ? null : identify(child.pid);
  if (!started) throw new Error(`PostgreSQL did not start; see ${options.logFile}`);
  return started;
}

function openLog(path: string): number {
  keepLogSmall(path);
  return openSync(path, 'a', 0o600);
}

async function waitUntilReady(options: EmbeddedStoreOptions, server: ProcessIdentity): Promise<void> {
  const data = dataDirectoryOf(options);
  // Recovery after a crash may take long; what ends the wait early is the server's own end.
  const deadline = Date.now() + 120_000;
  while (!isReady(data, server)) {
    options.signal?.throwIfAborted();
    if (!isAlive(server)) throw new Error(`PostgreSQL ended while starting; see ${options.logFile}`);
    if (Date.now() > deadline) throw new Error(`PostgreSQL is not ready after two minutes; see ${options.logFile}`);
    await delay(10);
  }
}
