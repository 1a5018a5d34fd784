import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { ActivityRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import type { Action, HouseActor } from './activity.ts';

export interface ActivityToInsert {
  id: string;
  organisationId: string;
  applicationId: string | null;
  environmentId: string | null;
  action: Action;
  actor: Caller | HouseActor;
}

/** The actor's name is read by the same statement: it stays when the account or the key goes. */
export async function insertActivity(tx: Tx, entry: ActivityToInsert): Promise<void> {
  await tx
    .insertInto('activity_entries')
    .values({
      id: entry.id,
      organisation_id: entry.organisationId,
      application_id: entry.applicationId,
      environment_id: entry.environmentId,
      action: entry.action,
      actor_email: nameOf(entry.actor),
      // Not the transaction's beginning, which all entries of one transaction would share.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
}

/** Newest first. */
export function listActivityOf(
  db: Db,
  environmentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ActivityRow[]> {
  return db
    .selectFrom('activity_entries')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function deleteActivityBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('activity_entries').where('created_at', '<', time).execute();
}

/** Those that have more entries than this. */
export async function listBusyEnvironments(db: Db, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('activity_entries')
    .select('environment_id')
    .where('environment_id', 'is not', null)
    .groupBy('environment_id')
    .having((having) => having.fn.countAll(), '>', count)
    .execute();
  return rows.map((row) => row.environment_id!);
}

/** Leaves the newest `count`. */
export async function deleteActivityBeyond(db: Db, environmentId: string, count: number): Promise<void> {
  await sql`
    delete from activity_entries
    where environment_id = ${environmentId} and (created_at, id) < (
      select created_at, id from activity_entries where environment_id = ${environmentId}
      order by created_at desc, id desc offset ${count - 1} limit 1
    )`.execute(db);
}

/** What an entry of theirs would say. */
export async function findActorName(tx: Tx, actor: Caller | HouseActor): Promise<string> {
  const { rows } = await sql<{ name: string }>`select ${nameOf(actor)} as name`.execute(tx);
  return rows[0]!.name;
}

function nameOf(actor: Caller | HouseActor): RawBuilder<string> {
  if (actor === 'operator' || actor === 'platform') return sql`${actor}::text`;
  return actor.kind === 'session'
    ? sql`coalesce((select email from users where id = ${actor.userId}), 'a deleted account')`
    : sql`coalesce((select 'API key ' || name from api_keys where id = ${actor.keyId}), 'a deleted API key')`;
}
