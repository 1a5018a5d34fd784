import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Thrown when somebody else holds the lock; says who. */
export class LockHeld extends Error {
  readonly holder: ProcessIdentity;

  constructor(path: string, holder: ProcessIdentity) {
    super(`${path} is held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/**
 * A lock file that names its holder. A holder that is gone (killed, or the machine restarted)
 * loses it to the next who asks. Made by link(2), so the file is never seen half-written.
 */
export function tryLock(path: string): () => void {
  const me = identify(process.pid);
  if (!me) throw new Error('cannot read /proc: Lilac needs a Linux /proc');
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(me));
  try {
    for (;;) {
      try {
        linkSync(draft, path);
        return () => unlinkIfThere(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = holderOf(path);
        if (holder && isAlive(holder)) throw new LockHeld(path, holder);
        removeAbandoned(path);
      }
    }
  } finally {
    unlinkIfThere(draft);
  }
}

/** Waits for its turn, up to the given time. */
export async function lock(path: string, timeoutMs: number): Promise<() => void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return tryLock(path);
    } catch (error) {
      if (!(error instanceof LockHeld) || Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}

export function holderOf(path: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}

const TAKEOVER_MS = 5000;

/**
 * Two may find the same abandoned lock, and the slower must not remove what the faster has just made.
 * So only one at a time removes, and looks again before it does; a folder is the token, since making
 * one is atomic. Whoever was killed with it in hand loses it after a while.
 */
function removeAbandoned(path: string): void {
  const token = `${path}.takeover`;
  try {
    mkdirSync(token);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (ageMs(token) > TAKEOVER_MS) rmSync(token, { recursive: true, force: true });
    pauseMs(10);
    return;
  }
  try {
    if (isAbandoned(path)) unlinkIfThere(path);
  } finally {
    rmSync(token, { recursive: true, force: true });
  }
}

/** One that is not there is nobody's: its place may be taken the next moment. */
function isAbandoned(path: string): boolean {
  const holder = holderOf(path);
  return holder ? !isAlive(holder) : existsSync(path) && holderOf(path) === null;
}

function ageMs(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  return status ? Date.now() - status.mtimeMs : 0;
}

/** The lock is taken in one breath, so this cannot wait any other way. */
function pauseMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
