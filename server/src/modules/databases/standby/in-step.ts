import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseRow } from '../../../db/schema.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { specOf } from '../spec-of.ts';
import { readPair, type Pair } from './read-pair.ts';
import { setInStep } from './standby-store.ts';

export type InStepDeps = Pick<DatabaseWorkDeps, 'store' | 'config' | 'engines' | 'locks'>;

const LOOK_MS = 20;
/** Commits wait meanwhile, so it is not for long. */
const CATCH_UP_WITHIN_MS = 5000;

/**
 * Whether the primary waits for the standby, what the row says of it, and a failover that goes by the row are one thing
 * at a time. It is a lock of its own: who holds the database for long (an import) may be the one who waits for a
 * standby that has died.
 */
export function holdStep<T>(
  { locks }: Pick<InStepDeps, 'locks'>,
  databaseId: string,
  work: () => Promise<T>,
): Promise<T> {
  return locks.hold(`${databaseId} in step`, work);
}

/** From now on nothing is acknowledged that the standby does not have. It must follow already. */
export function goInStep(deps: InStepDeps, databaseId: string, signal?: AbortSignal): Promise<void> {
  return holdStep(deps, databaseId, async () => {
    const pair = await readPair(deps.store.db, databaseId);
    if (!pair?.standby?.is_made || pair.standby.in_step) return;
    const { database, standby } = pair;
    try {
      await engineOf(deps, database).setSynchronous(specOf(deps.config, database, pair.primary), standby.id);
      await caughtUp(deps, pair, signal);
    } catch (error) {
      // Where that fails too, the one who keeps databases tries until it does not.
      await release(deps, pair).catch(() => undefined);
      throw error;
    }
    await setInStep(deps.store.db, databaseId, true);
  });
}

/** The primary goes on alone, and the standby counts for nothing until it is in step again. Noted first. */
export function letGo(deps: InStepDeps, databaseId: string): Promise<void> {
  return holdStep(deps, databaseId, async () => {
    const pair = await readPair(deps.store.db, databaseId);
    if (pair) await release(deps, pair);
  });
}

async function release(deps: InStepDeps, { database, primary }: Pair): Promise<void> {
  await setInStep(deps.store.db, database.id, false);
  await engineOf(deps, database).setSynchronous(specOf(deps.config, database, primary), null);
}

async function caughtUp(deps: InStepDeps, { database, primary, standby }: Pair, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + CATCH_UP_WITHIN_MS;
  const spec = specOf(deps.config, database, primary);
  while (!(await engineOf(deps, database).isInStep(spec, standby!.id))) {
    signal?.throwIfAborted();
    if (Date.now() > deadline) throw new EngineRefused('The second server does not follow the first one.');
    await delay(LOOK_MS);
  }
}

export function engineOf({ engines }: Pick<InStepDeps, 'engines'>, database: Pick<DatabaseRow, 'database_type'>) {
  return engines[database.database_type];
}
