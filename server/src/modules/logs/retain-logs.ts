import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayOf } from '../../db/day-partitions.ts';
import { dropPartition, ensurePartitions, listPartitions } from '../../logs/partition-store.ts';
import { deleteOrphanedPositions, deleteUsageBefore } from './retention-store.ts';
import { oldestKept } from './retention.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Days of which every line is too old go, and so does what they took on the disk. The partitions of today and
 * tomorrow are made before anybody needs them.
 */
export async function retainLogs({ store: { db }, clock }: { store: Pick<Store, 'db'>; clock: Clock }): Promise<void> {
  const now = clock.now();
  await db.transaction().execute((tx) => ensurePartitions(tx, [dayOf(now.getTime()), dayOf(now.getTime() + DAY_MS)]));
  const firstKeptDay = dayOf(oldestKept(now).getTime());
  for (const day of await listPartitions(db)) {
    if (day < firstKeptDay) await dropPartition(db, day);
  }
  await deleteUsageBefore(db, firstKeptDay);
  await deleteOrphanedPositions(db);
}
