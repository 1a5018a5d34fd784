import { specOf } from '../spec-of.ts';
import { engineOf, letGo } from '../standby/in-step.ts';
import { readPair } from '../standby/read-pair.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isDue, renew, type Ward } from './ward.ts';

const RELEASE_MS = 5000;

/**
 * A primary whose standby is gone must not wait for it: it is let go, whoever holds the database at the moment, since
 * that one may be waiting too.
 */
export async function watchStep(world: KeeperWorld, ward: Ward): Promise<void> {
  const { database, primary, standby } = ward.pair;
  const engine = engineOf(world, database);
  const isUp = engine.isRunning(primary.id) && ward.startingId !== primary.id;
  if (!primary.is_made || database.status === 'deleting' || !isUp) return;
  if (!standby && !database.ha_enabled) return;
  if (!(await mustLetGo(world, ward))) return;
  if (standby?.in_step) {
    world.log.warn({ database: ward.id, standby: standby.id }, 'a standby is out of step; commits do not wait for it');
  }
  await letGo(world, ward.id);
  ward.outOfStepSinceMs = null;
  renew(ward, (await readPair(world.store.db, ward.id)) ?? ward.pair);
}

async function mustLetGo(world: KeeperWorld, ward: Ward): Promise<boolean> {
  const { database, primary, standby } = ward.pair;
  const engine = engineOf(world, database);
  // Told again now and then: whoever wrote that it is not in step may have been killed, or failed, before the rest.
  if (!standby?.in_step) return !world.locks.isHeld(ward.id) && isDue(ward, 'release', RELEASE_MS);
  if (!engine.isRunning(standby.id)) return true;
  if (!isDue(ward, 'step', world.timing.stepMs)) return false;
  // A primary that does not say so is not to be believed either way: it may be about to die.
  const isInStep = await engine.isInStep(specOf(world.config, database, primary), standby.id);
  if (isInStep) {
    ward.outOfStepSinceMs = null;
    return false;
  }
  ward.outOfStepSinceMs ??= performance.now();
  return performance.now() - ward.outOfStepSinceMs >= world.timing.outOfStepMs;
}
