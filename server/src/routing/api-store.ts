import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Edges listen here for apis that come and go. A wake-up only: the truth is in the table. */
export const APIS_CHANNEL = 'lilac_apis';

/** An api that has said nothing for this long is gone, unless the store was away. */
const API_SILENCE_SECONDS = 10;
const FORGET_AFTER_HOURS = 24;

export interface AnnouncedApi {
  name: string;
  host: string;
  port: number;
  isOverdue: boolean;
}

/**
 * An api says where it is, and that it lives. Who was at its place before and has fallen silent is forgotten: it is
 * this host before its machine was started again.
 */
export async function announceApi(db: Db, { name, host, port }: Omit<AnnouncedApi, 'isOverdue'>): Promise<void> {
  const address = JSON.stringify({ host, port });
  // Who is new, or was given up, is told of at once.
  await sql`
    with before as (select address, seen_at from apis where name = ${name}),
    forgotten as (
      delete from apis
      where address = ${address} and name <> ${name} and seen_at <= now() - ${API_SILENCE_SECONDS} * interval '1 second'
    ),
    said as (
      insert into apis (name, address) values (${name}, ${address})
      on conflict (name) do update set address = excluded.address, seen_at = now()
      returning name
    )
    select pg_notify(${APIS_CHANNEL}, '') from said
    where not exists (
      select from before
      where address = ${address} and seen_at > now() - ${API_SILENCE_SECONDS} * interval '1 second'
    )`.execute(db);
}

/** An api that stops takes no new requests. */
export async function withdrawApi(db: Db, name: string): Promise<void> {
  await sql`
    with gone as (delete from apis where name = ${name} returning name)
    select pg_notify(${APIS_CHANNEL}, '') from gone`.execute(db);
}

/** All apis but those that stopped in order. */
export async function readApis(db: Db): Promise<AnnouncedApi[]> {
  const isOverdue = sql<boolean>`seen_at <= now() - ${API_SILENCE_SECONDS} * interval '1 second'`;
  const rows = await db
    .selectFrom('apis')
    .select(['name', 'address', isOverdue.as('isOverdue')])
    .orderBy('name')
    .execute();
  return rows.map(({ name, address, isOverdue }) => {
    return { name, isOverdue, ...(JSON.parse(address) as { host: string; port: number }) };
  });
}

/** Forgets apis that will not come back: a machine that was taken away. */
export async function purgeSilentApis(db: Db): Promise<void> {
  await db
    .deleteFrom('apis')
    .where('seen_at', '<', sql<Date>`now() - ${FORGET_AFTER_HOURS} * interval '1 hour'`)
    .execute();
}
