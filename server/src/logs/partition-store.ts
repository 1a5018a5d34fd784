import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';

/** Whoever makes or drops a partition holds it; `logs` as a number. */
const PARTITIONS_LOCK = 0x6c_6f_67_73;
const NAME_PREFIX = 'log_chunks_';

/** Of days such as `2026-11-15`. Nothing but a look where they are all there. */
export async function ensurePartitions(tx: Tx, days: readonly string[]): Promise<void> {
  if ((await listMissing(tx, days)).length === 0) return;
  await sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(tx);
  // Somebody may have made them meanwhile.
  for (const day of await listMissing(tx, days)) await makePartition(tx, day);
}

/** Attached rather than made in place: that way nobody who reads or writes the other days has to wait. */
async function makePartition(tx: Tx, day: string): Promise<void> {
  const name = sql.table(nameOf(day));
  await sql`create table ${name} (like log_chunks including defaults including storage including indexes)`.execute(tx);
  const [from, to] = [sql.lit(day), sql.lit(dayAfter(day))];
  await sql`alter table log_chunks attach partition ${name} for values from (${from}) to (${to})`.execute(tx);
}

/** Asks the catalogue itself: what `to_regclass` says may be from before a wait for a lock. */
async function listMissing(tx: Tx, days: readonly string[]): Promise<string[]> {
  const names = days.map(nameOf);
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${days}::text[], ${names}::text[]) as wanted (day, name)
    where not exists (
      select from pg_class c where c.relname = name and c.relnamespace = current_schema()::regnamespace
    )`.execute(tx);
  return rows.map(({ day }) => day);
}

/** The days that have one, the oldest first. */
export async function listPartitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log_chunks'::regclass order by 1`.execute(db);
  return rows.map(({ name }) => name.slice(NAME_PREFIX.length).replaceAll('_', '-'));
}

/**
 * The table goes, and with it what it takes on the disk. Nobody waits for this longer than a moment: where
 * somebody holds the logs it fails, to be tried again.
 */
export async function dropPartition(db: Db, day: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    await sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(tx);
    await sql`drop table if exists ${sql.table(nameOf(day))}`.execute(tx);
  });
}

function nameOf(day: string): string {
  return NAME_PREFIX + day.replaceAll('-', '_');
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
