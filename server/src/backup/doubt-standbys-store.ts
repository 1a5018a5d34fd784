import { sql } from 'kysely';
import type { Tx } from '../db/pool.ts';

/** What the backup says of standbys was true in its moment. None is promoted before somebody has looked again. */
export async function doubtStandbys(tx: Tx, beside: string): Promise<void> {
  await sql`update ${sql.table(`${beside}.database_servers`)} set in_step = false`.execute(tx);
}
