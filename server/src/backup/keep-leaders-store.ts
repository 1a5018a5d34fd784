import { sql } from 'kysely';
import type { Tx } from '../db/pool.ts';

/**
 * Instances and databases of one host are on it after a restore too: it goes on keeping them, and no other begins to,
 * who would find nothing. Whoever leads at this moment learns that it has to begin anew.
 */
export async function keepLeaders(tx: Tx, { beside, target }: { beside: string; target: string }): Promise<void> {
  await sql`
    insert into ${sql.table(`${beside}.leaderships`)} (name, term, host, address)
    select name, term + 1, host, address from ${sql.table(`${target}.leaderships`)}`.execute(tx);
}
