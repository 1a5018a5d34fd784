import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { VitalFamily } from '../../lib/vitals.ts';

/** One process: its successor in the same place is the same here. */
export interface VitalProcess {
  machine: string;
  home: string;
  role: string;
  place: number;
}

export interface ProcessVitals extends VitalProcess {
  families: VitalFamily[];
}

/** Somebody who has not written for this long is gone, or as good as gone. */
const STALE_SECONDS = 45;

/** Writes a process's own numbers, and removes those of processes that are gone. */
export async function writeVitals(db: Db, process: VitalProcess, families: readonly VitalFamily[]): Promise<void> {
  const { machine, home, role, place } = process;
  const name = nameOf(process);
  await sql`
    with gone as (
      delete from platform_vitals
      where written_at < now() - ${STALE_SECONDS}::integer * interval '1 second' and process <> ${name}
    )
    insert into platform_vitals (process, machine, home, role, place, written_at, families)
    values (${name}, ${machine}, ${home}, ${role}, ${place}, now(), ${JSON.stringify(families)}::jsonb)
    on conflict (process) do update set written_at = excluded.written_at, families = excluded.families`.execute(db);
}

export async function readVitals(db: Db): Promise<ProcessVitals[]> {
  const { rows } = await sql<ProcessVitals>`
    select machine, home, role, place, families from platform_vitals
    where written_at >= now() - ${STALE_SECONDS}::integer * interval '1 second'
    order by machine, home, role, place`.execute(db);
  return rows;
}

function nameOf({ machine, home, role, place }: VitalProcess): string {
  return `${machine} ${home} ${role} ${place}`;
}
