import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  lchownSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run, start } from '../lib/exec.ts';
import { lock } from '../lib/file-lock.ts';
import { endProcess, identify, isAlive, type ProcessIdentity } from '../lib/process-identity.ts';
import { findPostgres, type PostgresBinaries } from './binaries.ts';

/**
 * The embedded PostgreSQL: one server on one data folder, reached through a unix socket in that
 * folder and by nothing else.
 *
 * As root the server runs as a user of its own, while LILAC_HOME (0700) and its parents stay shut
 * to that user. It gets in because its working directory is set before the user changes, and
 * /proc/self/cwd leads there without passing through the parents.
 */
export interface EmbeddedStoreOptions {
  /** LILAC_HOME/store: holds `data/`; ours alone. */
  directory: string;
  logFile: string;
  password: string;
}

export interface RunningStore {
  process: ProcessIdentity;
  /** True when it was already running: an earlier supervisor was killed, or an operator's command started it. */
  adopted: boolean;
}

/** Has no entry in /etc/passwd on any system; the server does not mind. */
const STORE_UID = 64_720;
/** `initdb`, unlike the server, wants a user with a name. This one is everywhere. */
const NOBODY_UID = 65_534;

const runsAsRoot = process.getuid?.() === 0;

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  shared_buffers: '32MB',
  max_connections: '100',
  io_method: 'sync',
  jit: 'off',
  // Few and small tables: fewer background processes are enough.
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  max_logical_replication_workers: '0',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
};

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
    await initialise(options, binaries);
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
    { signal: 'SIGQUIT', waitMs: 1000 },
    { signal: 'SIGKILL', waitMs: 1000 },
  ]);
}

/** The server that has this data open, whoever started it; a stale pid file is nobody. */
export function findRunning(options: Pick<EmbeddedStoreOptions, 'directory'>): ProcessIdentity | null {
  const data = dataDirectoryOf(options);
  const pid = Number(readPidFile(data)[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const found = identify(pid);
  if (!found) return null;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? found : null;
  } catch {
    return null;
  }
}

function readPidFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Made beside its place and moved there when whole, so that a kill leaves nothing half-made in use. */
async function initialise(options: EmbeddedStoreOptions, binaries: PostgresBinaries): Promise<void> {
  const data = dataDirectoryOf(options);
  if (existsSync(data)) {
    assertSameMajor(data, binaries);
    return;
  }
  const draft = join(options.directory, 'data.new');
  const passwordFile = join(options.directory, 'initial-password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (runsAsRoot) for (const path of [options.directory, draft, passwordFile]) chownSync(path, NOBODY_UID, NOBODY_UID);
  const argv: [string, ...string[]] = [
    binaries.initdb,
    `--pgdata=${dataArgument(draft)}`,
    '--username=lilac',
    `--pwfile=${runsAsRoot ? '/proc/self/cwd/../initial-password' : passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
  const result = await run(argv, {
    cwd: draft,
    env: {},
    timeoutMs: 120_000,
    ...(runsAsRoot ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}),
  });
  rmSync(passwordFile, { force: true });
  if (result.exitCode !== 0) throw new Error(`initdb failed: ${result.stderr.trim() || result.stdout.trim()}`);
  if (runsAsRoot) {
    chownTree(draft, STORE_UID);
    chownSync(options.directory, 0, 0);
    chmodSync(options.directory, 0o700);
  }
  renameSync(draft, data);
}

function assertSameMajor(data: string, binaries: PostgresBinaries): void {
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (binaries.version.split('.')[0] !== major) {
    throw new Error(
      `The data in ${data} belongs to PostgreSQL ${major}, and this Lilac brings ${binaries.version}. ` +
        'Run the Lilac that wrote it, make a backup with "lilac backup", and restore that here.',
    );
  }
}

function launch(options: EmbeddedStoreOptions, binaries: PostgresBinaries): ProcessIdentity {
  const data = dataDirectoryOf(options);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: dataArgument(data) });
  const output = openSync(options.logFile, 'a', 0o600);
  const child = start(
    [binaries.postgres, '-D', dataArgument(data), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: data,
      env: {},
      detached: true,
      stdio: ['ignore', output, output],
      ...(runsAsRoot ? { uid: STORE_UID, gid: STORE_UID } : {}),
    },
  );
  closeSync(output);
  child.unref();
  child.once('error', () => {});
  const started = child.pid === undefined ? null : identify(child.pid);
  if (!started) throw new Error(`PostgreSQL did not start; see ${options.logFile}`);
  return started;
}

async function waitUntilReady(options: EmbeddedStoreOptions, server: ProcessIdentity): Promise<void> {
  const data = dataDirectoryOf(options);
  // Recovery after a crash may take long; what ends the wait early is the server's own end.
  const deadline = Date.now() + 120_000;
  while (readPidFile(data)[7]?.trim() !== 'ready' || Number(readPidFile(data)[0]) !== server.pid) {
    if (!isAlive(server)) throw new Error(`PostgreSQL ended while starting; see ${options.logFile}`);
    if (Date.now() > deadline) throw new Error(`PostgreSQL is not ready after two minutes; see ${options.logFile}`);
    await delay(10);
  }
}

function dataArgument(data: string): string {
  return runsAsRoot ? '/proc/self/cwd' : data;
}

function chownTree(path: string, uid: number): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, uid);
  }
  lchownSync(path, uid, uid);
}
