import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { ActivityRow } from '../../db/schema.ts';
import type { Action, Doer } from './activity.ts';

export interface ActivityToInsert {
  id: string;
  organisationId: string;
  applicationId: string | null;
  environmentId: string | null;
  databaseId: string | null;
  deploymentId: string | null;
  action: Action;
  /** Null: the application's name is read, and the environment's. */
  subject: string | null;
  detail: string | null;
  isRepeated: boolean;
  actor: Doer;
}

interface Range {
  limit: number;
  offset: number;
}

/** Names are read by the same statement: they stay when the account, the key or the application goes. */
export async function insertActivity(tx: Tx, entry: ActivityToInsert): Promise<void> {
  await tx
    .insertInto('activity_entries')
    .values({
      id: entry.id,
      organisation_id: entry.organisationId,
      application_id: entry.applicationId,
      environment_id: entry.environmentId,
      database_id: entry.databaseId,
      deployment_id: entry.deploymentId,
      action: entry.action,
      actor_email: nameOf(entry.actor),
      subject: entry.subject ?? subjectOf(entry),
      is_repeated: entry.isRepeated,
      // Not the transaction's beginning, which all entries of one transaction would share.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute();
}

/** `Shop`, or `Shop / preview` where it was done to one environment, or `Shop / preview: www.example.org`. */
function subjectOf({ applicationId, environmentId, action, detail }: ActivityToInsert): RawBuilder<string | null> {
  const named = action.startsWith('application_') ? null : environmentId;
  return sql`(
    select a.name || coalesce(' / ' || e.name, '') || coalesce(': ' || ${detail}::text, '')
    from applications a left join environments e on e.application_id = a.id and e.id = ${named}
    where a.id = ${applicationId}
  )`;
}

/** Newest first. */
export function listActivityOf(db: Db, environmentId: string, range: Range): Promise<ActivityRow[]> {
  return selectNewest(db, range).where('environment_id', '=', environmentId).execute();
}

/** Newest first, each deed once. */
export function listActivityOfOrganisation(db: Db, organisationId: string, range: Range): Promise<ActivityRow[]> {
  return selectNewest(db, range)
    .where('organisation_id', '=', organisationId)
    .where('is_repeated', '=', sql<boolean>`false`)
    .execute();
}

function selectNewest(db: Db, { limit, offset }: Range) {
  return db
    .selectFrom('activity_entries')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
}

export async function deleteActivityBefore(db: Db, time: Date): Promise<void> {
  await db.deleteFrom('activity_entries').where('created_at', '<', time).execute();
}

/** Deeds of one kind in one environment, or beside all of them. */
export interface BusyAction {
  organisationId: string;
  environmentId: string | null;
  action: string;
}

/** Those of which there are more than this: in an environment, or in an organisation beside its environments. */
export async function listBusyActions(
  db: Db,
  most: { perEnvironment: number; perOrganisation: number },
): Promise<BusyAction[]> {
  const { rows } = await sql<BusyAction>`
    select organisation_id as "organisationId", environment_id as "environmentId", action from activity_entries
    group by organisation_id, environment_id, action
    having count(*) > case when environment_id is null
      then ${most.perOrganisation}::int else ${most.perEnvironment}::int end`.execute(db);
  return rows;
}

/** Leaves the newest `count`. */
export async function deleteActivityBeyond(
  db: Db,
  { organisationId, environmentId, action }: BusyAction,
  count: number,
): Promise<void> {
  const isOne = sql`
    organisation_id = ${organisationId} and environment_id is not distinct from ${environmentId} and action = ${action}`;
  await sql`
    delete from activity_entries
    where ${isOne} and (created_at, id) < (
      select created_at, id from activity_entries where ${isOne}
      order by created_at desc, id desc offset ${count - 1} limit 1
    )`.execute(db);
}

/** What an entry of theirs would say. */
export async function findActorName(tx: Tx, actor: Doer): Promise<string> {
  const { rows } = await sql<{ name: string }>`select ${nameOf(actor)} as name`.execute(tx);
  return rows[0]!.name;
}

function nameOf(actor: Doer): RawBuilder<string> {
  if (actor === 'operator' || actor === 'platform') return sql`${actor}::text`;
  return actor.kind === 'session'
    ? sql`coalesce((select email from users where id = ${actor.userId}), 'a deleted account')`
    : sql`coalesce((select 'API key ' || name from api_keys where id = ${actor.keyId}), 'a deleted API key')`;
}
