import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../lib/fault.ts';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import { sha256 } from '../../lib/hash.ts';
import { identify, isAlive, waitForExit, type ProcessIdentity } from '../../lib/process-identity.ts';
import { killGroup } from './run-git.ts';

/** The bare repository that keeps what was fetched of one repository. Losing it costs only time. */
export interface Mirror {
  root: string;
  gitDir: string;
  lockFile: string;
  /** Names the git that is fetching; one that outlives its holder's death is ended by the next. */
  fetcherFile: string;
}

export function mirrorOf(root: string, url: string): Mirror {
  return mirrorAt(root, sha256(url).toString('hex').slice(0, 32));
}

/** By the name of its files, without their endings. */
export function mirrorAt(root: string, name: string): Mirror {
  const path = join(root, name);
  return { root, gitDir: `${path}.git`, lockFile: `${path}.lock`, fetcherFile: `${path}.fetcher` };
}

/**
 * Does the work alone: in this process and among all that share the folder. The lock names its holder,
 * so a killed one loses it, and what it left half-done is cleared away first.
 */
export async function withLockedMirror<T>(
  mirror: Mirror,
  { signal, waitMs }: { signal?: AbortSignal; waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(mirror.root, { recursive: true, mode: 0o700 });
  const release = await waitForLock(mirror.lockFile, { signal, waitMs });
  try {
    await clearAbandoned(mirror);
    return await work();
  } finally {
    release();
  }
}

/** To be told of a git the moment it starts; and of its end, unless it was cut short. */
export function noteFetcher({ fetcherFile }: Mirror, pid: number): void {
  writeFileSync(fetcherFile, JSON.stringify(identify(pid)));
}

export function forgetFetcher({ fetcherFile }: Mirror): void {
  rmSync(fetcherFile, { force: true });
}

/** A mirror that is used is not swept. */
export function touchMirror({ gitDir }: Mirror): void {
  const now = new Date();
  if (existsSync(gitDir)) utimesSync(gitDir, now, now);
}

/** Moved aside first, so that a half-removed mirror is never taken for a whole one. Under its lock only. */
export async function dropMirror(mirror: Mirror): Promise<void> {
  const { gitDir } = mirror;
  forgetFetcher(mirror);
  if (!existsSync(gitDir)) return;
  const aside = `${gitDir}.dropped-${randomBytes(6).toString('hex')}`;
  await rename(gitDir, aside);
  await rm(aside, { recursive: true, force: true });
}

async function waitForLock(path: string, { signal, waitMs }: { signal?: AbortSignal; waitMs: number }) {
  const deadline = Date.now() + waitMs;
  for (;;) {
    try {
      return tryLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      if (Date.now() > deadline) {
        throw new Fault('SV002', 'This repository is being fetched already, which takes long. Try again in a moment.');
      }
      await delay(20);
      signal?.throwIfAborted();
    }
  }
}

async function clearAbandoned(mirror: Mirror): Promise<void> {
  if (!existsSync(mirror.fetcherFile)) return;
  const fetcher = readFetcher(mirror);
  if (fetcher && isAlive(fetcher)) {
    killGroup(fetcher.pid);
    await waitForExit(fetcher, 10_000);
  }
  await removeLeftovers(mirror.gitDir);
  forgetFetcher(mirror);
}

function readFetcher({ fetcherFile }: Mirror): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(fetcherFile, 'utf8')) as ProcessIdentity | null;
  } catch {
    return null;
  }
}

/** What a git that was killed leaves: locks, which would stop the next for ever, and half a pack. */
async function removeLeftovers(gitDir: string): Promise<void> {
  if (!existsSync(gitDir)) return;
  const entries = await readdir(gitDir, { recursive: true, withFileTypes: true });
  const leftovers = entries.filter(({ name }) => /\.lock$|^tmp_|^shallow_|^\.tmp-/.test(name));
  await Promise.all(
    leftovers.map(({ parentPath, name }) => rm(join(parentPath, name), { recursive: true, force: true })),
  );
}
