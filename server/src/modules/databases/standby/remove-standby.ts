import { removeServer } from '../server-store.ts';
import type { StandbyDeps } from './add-standby.ts';
import { engineOf, letGo } from './in-step.ts';
import { readPair } from './read-pair.ts';

/** The primary waits for nobody any more; then its standby goes, and its row last. The caller holds the database. */
export async function removeStandby(deps: StandbyDeps, databaseId: string): Promise<void> {
  const pair = await readPair(deps.store.db, databaseId);
  if (!pair?.standby) return;
  const { database, standby } = pair;
  await letGo(deps, databaseId);
  await engineOf(deps, database).destroy(standby.id);
  await deps.store.db.transaction().execute((tx) => removeServer(tx, standby.id));
}
