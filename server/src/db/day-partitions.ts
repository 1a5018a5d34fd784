import { sql } from 'kysely';
import type { Db, Tx } from './pool.ts';

/** A table in partitions of a day each. Days are such as `2026-11-15`, in UTC. */
export interface DayPartitioned {
  table: string;
  /** Held by whoever makes or drops a partition. */
  lock: number;
  /** Where the day begins, in the column by which the table is partitioned. */
  boundOf: (day: string) => string | number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Since 1970. */
export const numberOfDay = (day: string): number => Date.parse(day) / DAY_MS;

/** Nothing but a look where they are all there. */
export async function ensureDayPartitions(tx: Tx, of: DayPartitioned, days: readonly string[]): Promise<void> {
  if ((await listMissing(tx, of, days)).length === 0) return;
  await sql`select pg_advisory_xact_lock(${of.lock})`.execute(tx);
  // Somebody may have made them meanwhile.
  for (const day of await listMissing(tx, of, days)) await makePartition(tx, of, day);
}

/** Attached rather than made in place: that way nobody who reads or writes the other days has to wait. */
async function makePartition(tx: Tx, of: DayPartitioned, day: string): Promise<void> {
  const [parent, name] = [sql.table(of.table), sql.table(nameOf(of, day))];
  await sql`create table ${name} (like ${parent} including defaults including storage including indexes)`.execute(tx);
  const [from, to] = [sql.lit(of.boundOf(day)), sql.lit(of.boundOf(dayOf(Date.parse(day) + DAY_MS)))];
  await sql`alter table ${parent} attach partition ${name} for values from (${from}) to (${to})`.execute(tx);
}

/** Asks the catalogue itself: what `to_regclass` says may be from before a wait for a lock. */
async function listMissing(tx: Tx, of: DayPartitioned, days: readonly string[]): Promise<string[]> {
  const names = days.map((day) => nameOf(of, day));
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${days}::text[], ${names}::text[]) as wanted (day, name)
    where not exists (
      select from pg_class c where c.relname = name and c.relnamespace = current_schema()::regnamespace
    )`.execute(tx);
  return rows.map(({ day }) => day);
}

/** The days that have one, the oldest first. */
export async function listDayPartitions(db: Db, { table }: DayPartitioned): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by 1`.execute(db);
  return rows.map(({ name }) => name.slice(table.length + 1).replaceAll('_', '-'));
}

/**
 * The table goes, and with it what it takes on the disk. Nobody waits for this longer than a moment: where
 * somebody holds the table it fails, to be tried again.
 */
export async function dropDayPartition(db: Db, of: DayPartitioned, day: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    await sql`select pg_advisory_xact_lock(${of.lock})`.execute(tx);
    await sql`drop table if exists ${sql.table(nameOf(of, day))}`.execute(tx);
  });
}

const nameOf = ({ table }: DayPartitioned, day: string): string => `${table}_${day.replaceAll('-', '_')}`;
