import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

export interface UsedMinute {
  databaseId: string;
  minute: Date;
  /** Percent of what the tier gives; null where nothing could be compared with. */
  cpu: number | null;
  memoryBytes: number;
  storageBytes: number;
  connections: number;
}

/** A database that was deleted meanwhile has no minutes. */
export async function writeMinute(db: Db, { databaseId, minute, ...used }: UsedMinute): Promise<void> {
  const { cpu, memoryBytes, storageBytes, connections } = used;
  await sql`
    insert into database_minutes (database_id, minute, cpu, memory_bytes, storage_bytes, connections)
    select id, ${minute}, ${cpu}, ${memoryBytes}::bigint, ${storageBytes}::bigint, ${connections}::int
    from databases where id = ${databaseId} for key share
    on conflict (database_id, minute) do update set
      cpu = coalesce(excluded.cpu, database_minutes.cpu), memory_bytes = excluded.memory_bytes,
      storage_bytes = excluded.storage_bytes, connections = excluded.connections`.execute(db);
}

export async function deleteMinutesBefore(db: Db, minute: Date): Promise<void> {
  await db.deleteFrom('database_minutes').where('minute', '<', minute).execute();
}
