import { dayOf } from '../../db/day-partitions.ts';
import type { Db, Store } from '../../db/pool.ts';
import { createBreather, type Breathe } from '../../lib/breather.ts';
import type { Clock } from '../../lib/clock.ts';
import type { LogEntry } from '../../logs/log-entry.ts';
import { decodeChunk, encodeEntries } from '../../logs/log-chunk.ts';
import { readChunks } from '../../logs/log-store.ts';
import { planMerges, type Merge } from './compaction.ts';
import { listChunkSizes, listScatteredDays, replaceChunks, type LogDay } from './compaction-store.ts';

export interface CompactDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Lines are stored as they come, a few at a time. This makes few large chunks of many small ones, of today and
 * so many days before. The lines keep their numbers.
 */
export async function compactLogs(
  { store: { db }, clock }: CompactDeps,
  { daysBack }: { daysBack: number },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now().getTime();
  const today = dayOf(now);
  const breathe = createBreather(signal);
  for (const logDay of await listScatteredDays(db, { since: dayOf(now - daysBack * DAY_MS), today })) {
    const merges = planMerges(await listChunkSizes(db, logDay), logDay.day < today);
    for (const merge of merges) {
      signal.throwIfAborted();
      await mergeChunks(db, logDay, { merge, breathe });
    }
  }
}

async function mergeChunks(
  db: Db,
  logDay: LogDay,
  { merge, breathe }: { merge: Merge; breathe: Breathe },
): Promise<void> {
  const rows = await readChunks(db, {
    environmentId: logDay.environmentId,
    afterLine: merge.firstLine - 1,
    beforeLine: merge.lastLine + 1,
    limit: merge.chunkCount,
    order: 'asc',
  });
  const entries: LogEntry[] = [];
  for (const row of rows) {
    entries.push(...(await decodeChunk(row)).entries());
    await breathe();
  }
  // Somebody else has changed them since they were listed.
  if (entries.length !== merge.lastLine - merge.firstLine + 1) return;
  const chunks = await encodeEntries(entries);
  await db.transaction().execute((tx) => replaceChunks(tx, logDay, { merge, chunks }));
}
