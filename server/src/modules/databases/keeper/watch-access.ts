import { specOf } from '../spec-of.ts';
import { engineOf } from '../standby/in-step.ts';
import { readPair } from '../standby/read-pair.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isDue, type Ward } from './ward.ts';

/**
 * Where instances stand may be another place than when the server was last told whom to let in: they get theirs with
 * every start of the platform, which servers outlive. A job that shuts the doors may end without having opened them, so
 * it is seen to after every change of the rows. What a job is changing is that job's.
 */
export async function watchAccess(world: KeeperWorld, ward: Ward): Promise<void> {
  if (!isDue(ward, 'access', world.timing.accessMs) || world.locks.isHeld(ward.id)) return;
  if ((await wantedNow(world, ward)) === null) return;
  // Read again, alone with the database: a job that has begun meanwhile must not find open what it has shut.
  await world.locks.hold(ward.id, async () => {
    const wanted = await wantedNow(world, ward);
    if (!wanted) return;
    await wanted.engine.keepAccess(wanted.spec);
    ward.admitted = wanted.key;
  });
}

/** Null where there is nothing to do, or it is not ours to do. */
async function wantedNow(world: KeeperWorld, ward: Ward) {
  const pair = await readPair(world.store.db, ward.id);
  if (!pair?.primary.is_made || !['healthy', 'degraded'].includes(pair.database.status)) return null;
  const { database, primary } = pair;
  const engine = engineOf(world, database);
  const spec = specOf(world.config, database, primary);
  const key = JSON.stringify([primary.id, database.progress, spec.access]);
  const isUp = engine.isRunning(primary.id) && ward.startingId !== primary.id;
  return isUp && key !== ward.admitted ? { engine, spec, key } : null;
}
