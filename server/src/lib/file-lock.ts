import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
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

/**
 * Two may find the same abandoned lock, and the slower must not remove what the faster has just made:
 * it is moved aside first, and moved back when its holder turns out to live.
 */
function removeAbandoned(path: string): void {
  const aside = `${path}.${process.pid}.aside`;
  try {
    renameSync(path, aside);
    const holder = holderOf(aside);
    if (holder && isAlive(holder)) linkSync(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  unlinkIfThere(aside);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
