import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

/** The ids of all instances that edges are told of: those that take requests, and those that are being tried. */
export async function readRoutedInstances(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select named.id #>> '{}' as id from routes, lateral (
      select jsonb_path_query(target, '$.instances[*].id') as id
      union all select jsonb_path_query(target, '$.probe.instances[*].id')
    ) named`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
