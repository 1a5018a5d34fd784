import { specOf } from '../spec-of.ts';
import { engineOf } from '../standby/in-step.ts';
import { readPair } from '../standby/read-pair.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isDue, type Ward } from './ward.ts';

/**
 * Where instances stand may be another place than when the server was last told whom to let in: they get theirs with
 * every start of the platform, which servers outlive. What a job is changing is that job's.
 */
export async function watchAccess(world: KeeperWorld, ward: Ward): Promise<void> {
  if (!isDue(ward, 'access', world.timing.accessMs)) return;
  const pair = await readPair(world.store.db, ward.id);
  if (!pair?.primary.is_made || !['healthy', 'degraded'].includes(pair.database.status)) return;
  const { database, primary } = pair;
  const engine = engineOf(world, database);
  const isBusy = world.locks.isHeld(ward.id) || ward.startingId === primary.id;
  const spec = specOf(world.config, database, primary);
  const admitted = JSON.stringify([primary.id, spec.access]);
  if (isBusy || !engine.isRunning(primary.id) || admitted === ward.admitted) return;
  await engine.keepAccess(spec);
  ward.admitted = admitted;
}
