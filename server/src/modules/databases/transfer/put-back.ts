import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { deleteBackup, findSafety } from './backup-store.ts';
import { loadObject, type Target } from './load-object.ts';

/** Whatever the cause is, the customer's file is not at fault: it is tried again, and the copy stays. */
export class NotPutBack extends Error {
  constructor(cause: unknown) {
    super('What was there could not be put back.', { cause });
  }
}

/** As it was before the import, and only then is the file that says how no longer needed. */
export async function putBack(deps: DatabaseWorkDeps, target: Target, signal: AbortSignal): Promise<void> {
  const { store, engines, objects } = deps;
  const safety = await findSafety(store.db, target.database.id);
  if (!safety) return;
  const engine = engines[target.database.database_type];
  try {
    await engine.empty(target.spec, target.owner);
    // Full as it may have been, it is empty now.
    await engine.setWritable(target.spec, true);
    await loadObject(deps, { key: safety.object_key, target, signal, tell: false });
  } catch (error) {
    signal.throwIfAborted();
    throw new NotPutBack(error);
  }
  await deleteBackup(store.db, safety.id);
  await objects.remove(safety.object_key);
}
