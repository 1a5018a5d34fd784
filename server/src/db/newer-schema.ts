import { sql } from 'kysely';
import { migrationNames } from './migrate.ts';
import type { Db } from './pool.ts';

/**
 * Hosts are upgraded one after another, so for a while the newer program and the one before it run on one store. The
 * newer one migrates at its start; the older one goes on, and starts again if it must. So a migration only adds. What
 * takes something away is called `NNNN-contract-MMMM-title`: programs that do not know migration MMMM, which made
 * it needless, cannot run on it any more. It comes a release later at the earliest.
 */
const CONTRACT = /^\d{4}-contract-(\d{4})-/;

/** What a newer program has done to the store, in its order. */
export async function unknownMigrations(db: Db, known: readonly string[] = migrationNames()): Promise<string[]> {
  const { rows: found } = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration') as table`.execute(db);
  if (found[0]?.table == null) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where not name = any (${known}::text[]) order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Of migrations that this program does not know: the first that it cannot run on. */
export function findUnbearable(
  unknown: readonly string[],
  known: readonly string[] = migrationNames(),
): string | undefined {
  const newest = known.at(-1)?.slice(0, 4) ?? '0000';
  return unknown.find((name) => {
    const [, needed] = CONTRACT.exec(name) ?? [];
    // One older than our newest is of another line of programs: nothing is known about it.
    return name.slice(0, 4) <= newest || (needed !== undefined && needed > newest);
  });
}
