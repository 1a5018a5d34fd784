import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from '../../db/pool.ts';

/** The names of addresses are unique in both tables; which of them said so makes no difference. */
const CONSTRAINTS: ReadonlySet<string> = new Set(['environments_subdomain_key', 'applications_slug_key']);

/**
 * Writes rows under the first candidate that nobody has. The unique indexes decide, so two who want one
 * name at the same moment get one each; the savepoint undoes what a candidate that is taken had written.
 */
export async function claimSubdomain<T>(
  tx: Tx,
  candidates: Iterable<string>,
  claim: (subdomain: string) => Promise<T>,
): Promise<T> {
  for (const candidate of candidates) {
    await sql`savepoint subdomain`.execute(tx);
    try {
      const claimed = await claim(candidate);
      await sql`release savepoint subdomain`.execute(tx);
      return claimed;
    } catch (error) {
      if (!isTaken(error)) throw error;
      await sql`rollback to savepoint subdomain`.execute(tx);
      await sql`release savepoint subdomain`.execute(tx);
    }
  }
  throw new Error('Every candidate for a subdomain was taken.');
}

function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint !== undefined && CONSTRAINTS.has(error.constraint);
}
