import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import { MAX_CHUNK_BYTES, MAX_CHUNK_LINES, type EncodedChunk } from '../../logs/log-chunk.ts';
import { WORTH_MERGING, type ChunkSize, type Merge } from './compaction.ts';

/** What an environment wrote on a day. */
export interface LogDay {
  environmentId: string;
  /** `2026-11-15`. */
  day: string;
}

/**
 * Those that have more chunks than they need. Of neighbours that were gathered, two together are more than one
 * full chunk: where there are more than twice as many as full ones would be, some were not gathered.
 */
export async function listScatteredDays(db: Db, { since, today }: { since: string; today: string }): Promise<LogDay[]> {
  const { rows } = await sql<LogDay>`
    select environment_id as "environmentId", day::text as day from log_chunks
    where day >= ${since}::date group by environment_id, day
    having count(*) - case when day >= ${today}::date then ${WORTH_MERGING} else 1 end >
      2 * sum(greatest(line_count / ${MAX_CHUNK_LINES}::float8, bytes / ${MAX_CHUNK_BYTES}::float8))`.execute(db);
  return rows;
}

/** In the order of their lines. */
export async function listChunkSizes(db: Db, { environmentId, day }: LogDay): Promise<ChunkSize[]> {
  const rows = await db
    .selectFrom('log_chunks')
    .select(['first_line', 'line_count', 'bytes'])
    .where('environment_id', '=', environmentId)
    .where('day', '=', day)
    .orderBy('first_line')
    .execute();
  return rows.map((row) => ({ firstLine: Number(row.first_line), lineCount: row.line_count, bytes: row.bytes }));
}

/**
 * Puts the merged chunks in the place of the others. Whoever reads sees the ones or the others, for either is
 * what the store had at one moment. Nothing is done when they are not all there any more.
 */
export async function replaceChunks(
  tx: Tx,
  { environmentId, day }: LogDay,
  { merge, chunks }: { merge: Merge; chunks: readonly EncodedChunk[] },
): Promise<void> {
  // Appending goes on beside it; deleting the log waits for it, and sees what it has left.
  await sql`select from log_heads where environment_id = ${environmentId} for key share`.execute(tx);
  const held = await sql`
    select from log_chunks
    where environment_id = ${environmentId} and day = ${day}::date
      and first_line between ${merge.firstLine} and ${merge.lastLine}
    order by first_line for update`.execute(tx);
  if (held.rows.length !== merge.chunkCount) return;
  await sql`
    delete from log_chunks
    where environment_id = ${environmentId} and day = ${day}::date
      and first_line between ${merge.firstLine} and ${merge.lastLine}`.execute(tx);
  let firstLine = merge.firstLine;
  for (const chunk of chunks) {
    await tx
      .insertInto('log_chunks')
      .values({
        environment_id: environmentId,
        day,
        first_line: firstLine,
        line_count: chunk.lineCount,
        first_at: new Date(chunk.firstAtMs),
        last_at: new Date(chunk.lastAtMs),
        severities: chunk.severities,
        bytes: chunk.bytes,
        body: chunk.body,
      })
      .execute();
    firstLine += chunk.lineCount;
  }
}
