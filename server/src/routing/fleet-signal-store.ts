import { sql } from 'kysely';
import type { Tx } from '../db/pool.ts';

/**
 * Who keeps the instances listens here; the payload is an environment's id. A wake-up only: the truth is in the tables.
 */
export const FLEET_CHANNEL = 'lilac_fleet';

/** Something that decides over the instances of the environment has changed: its range, its variables, its life. */
export async function wakeFleet(tx: Tx, environmentId: string): Promise<void> {
  await sql`select pg_notify(${FLEET_CHANNEL}, ${environmentId})`.execute(tx);
}
