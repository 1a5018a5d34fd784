import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Whoever keeps programs from machines listens here. A wake-up only: the truth is in the table. */
export const MACHINES_CHANNEL = 'lilac_machines';

/** A host that was taken away. One that is only stopped may still have databases that run. */
const FORGET_AFTER_DAYS = 30;

/** A process says which addresses its machine has. Others are told where these are other ones than before. */
export async function noteMachine(
  db: Db,
  { name, addresses }: { name: string; addresses: readonly string[] },
): Promise<void> {
  await sql`
    with before as (select addresses from machines where name = ${name}),
    said as (
      insert into machines (name, addresses) values (${name}, ${addresses}::text[])
      on conflict (name) do update set addresses = excluded.addresses, seen_at = now()
      returning name
    )
    select pg_notify(${MACHINES_CHANNEL}, '') from said
    where not exists (select from before where addresses = ${addresses}::text[])`.execute(db);
}

/** Of all machines of the platform, each once and in a certain order. */
export async function readMachineAddresses(db: Db): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from machines, unnest(addresses) address order by address`.execute(db);
  return rows.map(({ address }) => address);
}

export async function purgeSilentMachines(db: Db): Promise<void> {
  await db
    .deleteFrom('machines')
    .where('seen_at', '<', sql<Date>`now() - ${FORGET_AFTER_DAYS} * interval '1 day'`)
    .execute();
}
