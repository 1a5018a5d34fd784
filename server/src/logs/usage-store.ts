import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** How many bytes each has written on a day such as `2026-11-15`; 0 for one that has written nothing. */
export async function readUsage(db: Db, environmentIds: readonly string[], day: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; bytes: string }>`
    select environment_id as id, bytes from log_usage
    where environment_id = any(${environmentIds}::text[]) and day = ${day}::date`.execute(db);
  const usage = new Map(environmentIds.map((id) => [id, 0]));
  for (const { id, bytes } of rows) usage.set(id, Number(bytes));
  return usage;
}
