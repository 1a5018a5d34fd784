import { sql, type RawBuilder } from 'kysely';
import { dayOf } from '../db/day-partitions.ts';
import type { Db, Tx } from '../db/pool.ts';
import { batchColumns, type LogBatch } from './batch-columns.ts';
import { MAX_CHUNK_LINES } from './log-chunk.ts';
import { ensurePartitions } from './partition-store.ts';

/**
 * Numbers the lines and stores them. Environments that are gone are left out and named. Whoever else appends
 * to one of these environments waits until the transaction ends, so it should end soon.
 */
export async function appendChunks(tx: Tx, batches: readonly LogBatch[]): Promise<{ gone: ReadonlySet<string> }> {
  const { heads, chunks, usage } = batchColumns(batches);
  if (heads.ids.length === 0) return { gone: new Set() };
  await ensurePartitions(tx, [...new Set(chunks.days)]);
  // The bodies travel as one value, and the statement is the same however many there are. Heads are taken in
  // the order of their ids, so that two who append to several cannot wait for each other.
  const { rows } = await sql<{ id: string }>`
    with wanted as (
      select * from unnest(${heads.ids}::text[], ${heads.lines}::bigint[]) as w (environment_id, lines)
    ), heads as (
      insert into log_heads as h (environment_id, next_line)
      select environment_id, lines + 1 from wanted
      where environment_id in (select id from environments) order by environment_id
      on conflict (environment_id) do update set next_line = h.next_line + excluded.next_line - 1
      returning environment_id, next_line
    ), stored as (
      insert into log_chunks
        (environment_id, day, first_line, line_count, first_at, last_at, severities, bytes, body)
      select c.environment_id, c.day, h.next_line - w.lines + c.skipped, c.line_count,
        to_timestamp(c.first_at / 1000), to_timestamp(c.last_at / 1000), c.severities, c.bytes,
        substring(${chunks.bodies}::bytea from c.body_at for c.body_size)
      from unnest(
        ${chunks.ids}::text[], ${chunks.days}::date[], ${chunks.skipped}::bigint[], ${chunks.lineCounts}::int[],
        ${chunks.firstAt}::float8[], ${chunks.lastAt}::float8[], ${chunks.severities}::smallint[],
        ${chunks.bytes}::int[], ${chunks.bodyAt}::int[], ${chunks.bodySizes}::int[]
      ) as c (
        environment_id, day, skipped, line_count, first_at, last_at, severities, bytes, body_at, body_size
      )
      join heads h on h.environment_id = c.environment_id
      join wanted w on w.environment_id = c.environment_id
    ), used as (
      insert into log_usage as u (environment_id, day, lines, bytes, access_bytes, dropped_lines)
      select n.environment_id, n.day, n.lines, n.bytes, n.access_bytes, n.dropped
      from unnest(
        ${usage.ids}::text[], ${usage.days}::date[], ${usage.lines}::bigint[], ${usage.bytes}::bigint[],
        ${usage.accessBytes}::bigint[], ${usage.dropped}::bigint[]
      ) as n (environment_id, day, lines, bytes, access_bytes, dropped)
      join heads h on h.environment_id = n.environment_id
      order by n.environment_id, n.day
      on conflict (environment_id, day) do update set
        lines = u.lines + excluded.lines, bytes = u.bytes + excluded.bytes,
        access_bytes = u.access_bytes + excluded.access_bytes,
        dropped_lines = u.dropped_lines + excluded.dropped_lines
    )
    select environment_id as id from heads`.execute(tx);
  const living = new Set(rows.map(({ id }) => id));
  return { gone: new Set(heads.ids.filter((id) => !living.has(id))) };
}

export interface ChunkQuery {
  environmentId: string;
  /** Chunks that have lines before this one; they may also have later ones. */
  beforeLine?: number;
  /** Chunks that have lines after this one; they may also have earlier ones. */
  afterLine?: number;
  /** Chunks that may have lines of these times, both inclusive. */
  startTime?: Date | null;
  endTime?: Date | null;
  /** Chunks that have a line of one of these severities. */
  severityMask?: number;
  limit: number;
  order: 'asc' | 'desc';
}

export interface ChunkRow {
  firstLine: number;
  lineCount: number;
  bytes: number;
  body: Buffer;
}

/**
 * One look at one moment: lines may move into a larger chunk between two, never within one. Whoever reads on
 * from a line leaves out of the first chunk what is on the wrong side of it.
 */
export async function readChunks(db: Db | Tx, query: ChunkQuery): Promise<ChunkRow[]> {
  const { rows } = await sql<Omit<ChunkRow, 'firstLine'> & { firstLine: string }>`
    select first_line as "firstLine", line_count as "lineCount", bytes, body from log_chunks
    where ${sql.join(conditionsOf(query), sql` and `)}
    order by first_line ${query.order === 'asc' ? sql`asc` : sql`desc`} limit ${query.limit}`.execute(db);
  return rows.map((row) => ({ ...row, firstLine: Number(row.firstLine) }));
}

function conditionsOf(query: ChunkQuery): RawBuilder<unknown>[] {
  const conditions = [sql`environment_id = ${query.environmentId}`];
  if (query.beforeLine !== undefined) conditions.push(sql`first_line < ${query.beforeLine}`);
  if (query.afterLine !== undefined) {
    // The first for the index: no chunk is longer.
    conditions.push(sql`first_line > ${query.afterLine - MAX_CHUNK_LINES}`);
    conditions.push(sql`first_line + line_count > ${query.afterLine + 1}`);
  }
  if (query.startTime) {
    conditions.push(sql`day >= ${dayOf(query.startTime.getTime())}::date`, sql`last_at >= ${query.startTime}`);
  }
  if (query.endTime) {
    conditions.push(sql`day <= ${dayOf(query.endTime.getTime())}::date`, sql`first_at <= ${query.endTime}`);
  }
  if (query.severityMask !== undefined) conditions.push(sql`severities & ${query.severityMask} <> 0`);
  return conditions;
}

/** The number of the last line of each; 0 for one that has none. */
export async function readHeads(db: Db, environmentIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; next: string }>`
    select environment_id as id, next_line as next from log_heads
    where environment_id = any(${environmentIds}::text[])`.execute(db);
  const heads = new Map(environmentIds.map((id) => [id, 0]));
  for (const { id, next } of rows) heads.set(id, Number(next) - 1);
  return heads;
}

/**
 * Before the environment's own row is deleted. The head first: whoever appends or compacts holds it, and what
 * they leave is seen by the statement after.
 */
export async function deleteLogsOf(tx: Tx, environmentId: string): Promise<void> {
  await tx.deleteFrom('log_heads').where('environment_id', '=', environmentId).execute();
  await tx.deleteFrom('log_chunks').where('environment_id', '=', environmentId).execute();
  await tx.deleteFrom('log_positions').where('environment_id', '=', environmentId).execute();
  await tx.deleteFrom('log_usage').where('environment_id', '=', environmentId).execute();
}
