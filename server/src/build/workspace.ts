import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import { run } from '../lib/exec.ts';
import { LockHeld, tryLock } from '../lib/file-lock.ts';
import type { Log } from '../lib/log.ts';
import { removeTree } from '../lib/remove-tree.ts';
import { tryEach } from '../lib/try-each.ts';
import { uidOf } from '../sandbox/uids.ts';

/** The folders of one build. Their paths hold nothing that a tool could trip over. */
export interface Workspace extends AsyncDisposable {
  root: string;
  /** The project's files. */
  source: string;
  home: string;
  tmp: string;
  /** What the build writes over kept folders. */
  layers: string;
  /** Who builds, where the platform is root. */
  uid: number;
  /** Hands the project's files over to who builds. */
  handOver(): Promise<void>;
}

export interface WorkspaceOptions {
  config: Pick<Config, 'home'>;
  log: Log;
  deploymentId: string;
  organisationId: string;
}

/** Takes the place of what a killed build of the same deployment left. */
export async function openWorkspace({
  config,
  log,
  deploymentId,
  organisationId,
}: WorkspaceOptions): Promise<Workspace> {
  const { builds } = pathsOf(config);
  await mkdir(builds, { recursive: true, mode: 0o700 });
  const unlock = tryLock(join(builds, `${deploymentId}.lock`));
  const root = join(builds, deploymentId);
  const folders = {
    source: join(root, 'source'),
    home: join(root, 'home'),
    tmp: join(root, 'tmp'),
    layers: join(root, 'layers'),
  };
  const uid = uidOf(organisationId);
  try {
    await putAside(root, log);
    for (const folder of [root, ...Object.values(folders)]) await mkdir(folder, { mode: 0o755 });
    await chmod(folders.tmp, 0o1777);
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    root,
    ...folders,
    uid,
    handOver: () => chownTree([folders.source, folders.home, folders.tmp], uid),
    async [Symbol.asyncDispose]() {
      try {
        await putAside(root, log);
      } finally {
        unlock();
      }
    },
  };
}

/** A build may leave a million files: nobody waits until they are gone. After a kill a sweep finds them. */
async function putAside(root: string, log: Log): Promise<void> {
  const aside = `${root}-${randomBytes(6).toString('hex')}`;
  try {
    await rename(root, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  void removeTree(aside).catch((error: unknown) =>
    log.error(
      { err: error, folder: aside },
      'what a build left cannot be removed; it is tried again at the next start',
    ),
  );
}

/** Removes the folders of builds whose worker is gone; rejects in the end where one could not be. */
export async function sweepWorkspaces(config: Pick<Config, 'home'>): Promise<void> {
  const { builds } = pathsOf(config);
  const names = await readdir(builds).catch(() => []);
  const ids = new Set(names.map((name) => name.replace(/\.lock(\..*)?$/, '')));
  await tryEach(ids, (id) => sweepWorkspace(builds, id));
}

async function sweepWorkspace(builds: string, id: string): Promise<void> {
  try {
    const unlock = tryLock(join(builds, `${id}.lock`));
    try {
      await removeTree(join(builds, id));
    } finally {
      unlock();
    }
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
  }
}

/** Links are owned, never followed. Nothing to do where the platform is a plain user: everything is its own. */
export async function chownTree(paths: readonly string[], uid: number): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { exitCode, stderr } = await run(['chown', '-hR', `${uid}:${uid}`, '--', ...paths], {
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 120_000,
  });
  if (exitCode !== 0) throw new Error(`cannot hand over the files of a build: ${stderr}`);
}
