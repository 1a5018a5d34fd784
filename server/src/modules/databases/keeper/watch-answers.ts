import { specOf } from '../spec-of.ts';
import { engineOf } from '../standby/in-step.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isDue, type Ward } from './ward.ts';

/** Asks the primary whether it is there, now and then. While a job works on it, silence means nothing. */
export async function watchAnswers(world: KeeperWorld, ward: Ward): Promise<void> {
  const { database, primary } = ward.pair;
  const engine = engineOf(world, database);
  const isQuiet = () => world.locks.isHeld(ward.id) || !engine.isRunning(primary.id);
  if (!primary.is_made || isQuiet() || !isDue(ward, 'answer', world.timing.probeMs)) return;
  try {
    const health = await engine.probe(specOf(world.config, database, primary), world.timing.probeWithinMs);
    ward.missedAnswers = 0;
    if (health === 'crowded') {
      world.log.warn({ database: ward.id, server: primary.id }, 'all connections of a server of a database are taken');
      return;
    }
    const { isPrimary, isWritable } = health;
    // It was restarted by somebody, or told by a keeper that was killed before it wrote it down.
    if (isPrimary && isWritable === ward.pair.database.is_full) ward.mustTellWritable = true;
  } catch (error) {
    if (isQuiet() || ward.pair.primary.id !== primary.id) return;
    ward.missedAnswers++;
    world.log.warn(
      { err: error, database: ward.id, server: primary.id, missed: ward.missedAnswers },
      'a server of a database does not answer',
    );
  }
}
