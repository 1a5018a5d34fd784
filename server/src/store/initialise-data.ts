import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/exec.ts';
import type { PostgresBinaries } from './binaries.ts';
import { dataArgument, NOBODY_UID, runsAsRoot, STORE_UID, userOptions } from './store-user.ts';

export interface InitialiseOptions {
  /** LILAC_HOME/store. */
  directory: string;
  data: string;
  password: string;
  binaries: PostgresBinaries;
  signal?: AbortSignal;
}

/** Made beside its place and moved there when whole, so that a kill leaves nothing half-made in use. */
export async function initialiseData(options: InitialiseOptions): Promise<void> {
  if (existsSync(options.data)) {
    assertSameMajor(options.data, options.binaries);
    return;
  }
  const draft = join(options.directory, 'data.new');
  const passwordFile = join(options.directory, 'initial-password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (runsAsRoot) for (const path of [options.directory, draft, passwordFile]) chownSync(path, NOBODY_UID, NOBODY_UID);
  try {
    await runInitdb(options, draft, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
    if (runsAsRoot) chownSync(options.directory, 0, 0);
    chmodSync(options.directory, 0o700);
  }
  if (runsAsRoot) chownTree(draft, STORE_UID);
  renameSync(draft, options.data);
}

async function runInitdb({ binaries, signal }: InitialiseOptions, draft: string, passwordFile: string): Promise<void> {
  const result = await run(
    [
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
    ],
    { cwd: draft, env: {}, timeoutMs: 120_000, ...(signal ? { signal } : {}), ...userOptions(NOBODY_UID) },
  );
  if (result.exitCode !== 0) throw new Error(`initdb failed: ${result.stderr.trim() || result.stdout.trim()}`);
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

function chownTree(path: string, uid: number): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, uid);
  }
  lchownSync(path, uid, uid);
}
