import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

/** When they came is by the store's own clock. */
export async function deleteDeliveriesOlderThan(db: Db, days: number): Promise<void> {
  await sql`delete from vcs_deliveries where received_at < now() - ${days}::int * interval '1 day'`.execute(db);
}

export async function deleteAttemptsExpiredBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('vcs_attempts').where('expires_at', '<', time).execute();
}
