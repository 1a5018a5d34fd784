import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { holderOf, lock, tryLock } from '../../lib/file-lock.ts';
import { isAlive } from '../../lib/process-identity.ts';
import { chownTree } from '../workspace.ts';

export interface StoreUse {
  /** The folder of the caches. */
  root: string;
  organisationId: string;
  deploymentId: string;
  uid: number;
}

const LOCK_MS = 60_000;

/** Builds of an organisation use its store together; while one does, it is not evicted. */
export async function holdStore({ root, organisationId, deploymentId, uid }: StoreUse): Promise<AsyncDisposable> {
  const store = join(root, 'stores', organisationId);
  return withStoreLock(root, organisationId, async () => {
    const release = tryLock(join(usesFolder(root), `${organisationId}.${deploymentId}`));
    const isNew = (await mkdir(store, { recursive: true, mode: 0o700 })) !== undefined;
    if (isNew) await chownTree([store], uid);
    const now = new Date();
    await utimes(store, now, now);
    return { [Symbol.asyncDispose]: async () => release() };
  });
}

/** Does it only where no build uses the store, and none begins to meanwhile. */
export async function whileUnused(root: string, organisationId: string, action: () => Promise<void>): Promise<void> {
  await withStoreLock(root, organisationId, async () => {
    const uses = (await readdir(usesFolder(root))).filter((name) => name.startsWith(`${organisationId}.`));
    const holders = uses.map((name) => holderOf(join(usesFolder(root), name)));
    if (!holders.some((holder) => holder && isAlive(holder))) await action();
  });
}

const usesFolder = (root: string): string => join(root, 'uses');

async function withStoreLock<T>(root: string, organisationId: string, action: () => Promise<T>): Promise<T> {
  await mkdir(usesFolder(root), { recursive: true, mode: 0o700 });
  const unlock = await lock(join(root, `${organisationId}.lock`), LOCK_MS);
  try {
    return await action();
  } finally {
    unlock();
  }
}
