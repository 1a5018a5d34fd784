import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

export interface UsedBytes {
  bytes: number;
  /** Of these, of lines about requests. */
  accessBytes: number;
}

/** How many bytes each has written on a day such as `2026-11-15`; 0 for one that has written nothing. */
export async function readUsage(
  db: Db,
  environmentIds: readonly string[],
  day: string,
): Promise<Map<string, UsedBytes>> {
  const { rows } = await sql<{ id: string; bytes: string; access: string }>`
    select environment_id as id, bytes, access_bytes as access from log_usage
    where environment_id = any(${environmentIds}::text[]) and day = ${day}::date`.execute(db);
  const usage = new Map(environmentIds.map((id) => [id, { bytes: 0, accessBytes: 0 }]));
  for (const { id, bytes, access } of rows) usage.set(id, { bytes: Number(bytes), accessBytes: Number(access) });
  return usage;
}
