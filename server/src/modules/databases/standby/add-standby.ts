import type { DatabaseServerRow } from '../../../db/schema.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { newId } from '../../../lib/ids.ts';
import { allocatePort } from '../allocate-port.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { insertServer, markMade, removeServer } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { engineOf, goInStep, letGo } from './in-step.ts';
import { readPair, type Pair } from './read-pair.ts';
import { markUnmade } from './standby-store.ts';

export type StandbyDeps = Pick<DatabaseWorkDeps, 'store' | 'config' | 'engines' | 'locks' | 'log'>;

/**
 * A second server that has everything the first one acknowledges. Resolves when it is in step. The caller holds the
 * database. Killed at any point, it is done again: one that was left half-made is destroyed and another one made.
 */
export async function addStandby(deps: StandbyDeps, databaseId: string, signal: AbortSignal): Promise<void> {
  const pair = await readPair(deps.store.db, databaseId);
  if (!pair?.primary.is_made) throw new Error(`The database ${databaseId} has no server that another one could follow`);
  if (!(await isUp(deps, pair, signal))) await makeAnew(deps, pair, signal);
  signal.throwIfAborted();
  await goInStep(deps, databaseId, signal);
}

/** Whether a standby that is whole runs now. */
async function isUp(deps: StandbyDeps, { database, standby }: Pair, signal: AbortSignal): Promise<boolean> {
  if (!standby?.is_made) return false;
  try {
    await engineOf(deps, database).start(specOf(deps.config, database, standby), signal);
    return true;
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    deps.log.warn(
      { err: error, database: database.id, server: standby.id },
      'a standby does not start; it is made anew',
    );
    return false;
  }
}

async function makeAnew(deps: StandbyDeps, pair: Pair, signal: AbortSignal): Promise<void> {
  const { database, primary, standby: before } = pair;
  const engine = engineOf(deps, database);
  if (before) {
    await markUnmade(deps.store.db, before.id);
    await letGo(deps, database.id);
    await engine.destroy(before.id);
  }
  const standby = await exchangeRow(deps, pair);
  const spec = specOf(deps.config, database, standby);
  try {
    await engine.createStandby(specOf(deps.config, database, primary), spec, signal);
  } catch (error) {
    // Its place is needed, and its row says that nothing of it counts.
    await engine.destroy(standby.id).catch(() => undefined);
    throw error;
  }
  await markMade(deps.store.db, standby.id);
}

/** Another id and another port: what was there is gone, and whoever held its port may hold it still. */
function exchangeRow({ store, config }: StandbyDeps, { database, standby }: Pair): Promise<DatabaseServerRow> {
  return store.db.transaction().execute(async (tx) => {
    if (standby) await removeServer(tx, standby.id);
    const row = { id: newId('dbs'), database_id: database.id, port: await allocatePort(tx, config) };
    await insertServer(tx, { ...row, role: 'standby' });
    return { ...row, role: 'standby', is_made: false, in_step: false, created_at: new Date() };
  });
}
