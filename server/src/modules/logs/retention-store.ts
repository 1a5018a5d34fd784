import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

/** What was counted before a day such as `2026-11-15`. */
export async function deleteUsageBefore(db: Db, day: string): Promise<void> {
  await sql`delete from log_usage where day < ${day}::date`.execute(db);
}

/** How far the output of instances was read whose environment is gone. */
export async function deleteOrphanedPositions(db: Db): Promise<void> {
  await sql`
    delete from log_positions p
    where not exists (select from environments e where e.id = p.environment_id)`.execute(db);
}
