import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { DatabaseLinkRow, DatabaseRow } from '../../../db/schema.ts';

/** Which database the address in each of these variables is of. */
export type DatabaseLinks = Readonly<Record<string, string>>;

export interface LinkKey {
  environmentId: string;
  variable: string;
}

export function listLinksTo(db: Db | Tx, databaseId: string): Promise<DatabaseLinkRow[]> {
  return db
    .selectFrom('database_links')
    .selectAll()
    .where('database_id', '=', databaseId)
    .orderBy('created_at')
    .orderBy('environment_id')
    .orderBy('variable')
    .execute();
}

export interface ConnectedEnvironment {
  environmentId: string;
  applicationId: string;
  environment: string;
  application: string;
  variable: string;
}

/** Lists the environments by the names that people know. */
export function listConnected(db: Db | Tx, databaseId: string): Promise<ConnectedEnvironment[]> {
  return db
    .selectFrom('database_links as l')
    .innerJoin('environments as e', 'e.id', 'l.environment_id')
    .innerJoin('applications as a', 'a.id', 'e.application_id')
    .select([
      'e.id as environmentId',
      'a.id as applicationId',
      'e.name as environment',
      'a.name as application',
      'l.variable',
    ])
    .where('l.database_id', '=', databaseId)
    .orderBy('a.name')
    .orderBy('e.name')
    .orderBy('l.variable')
    .execute();
}

export type ConnectedDatabase = DatabaseLinkRow & Pick<DatabaseRow, 'name' | 'database_type' | 'status'>;

/** Lists the databases whose addresses an environment is given. */
export function listDatabasesOf(db: Db | Tx, environmentId: string): Promise<ConnectedDatabase[]> {
  return db
    .selectFrom('database_links as l')
    .innerJoin('databases as d', 'd.id', 'l.database_id')
    .selectAll('l')
    .select(['d.name', 'd.database_type', 'd.status'])
    .where('l.environment_id', '=', environmentId)
    .orderBy('l.variable')
    .execute();
}

export async function removeLinksTo(tx: Tx, databaseId: string): Promise<void> {
  await tx.deleteFrom('database_links').where('database_id', '=', databaseId).execute();
}

export async function linksOf(db: Db | Tx, environmentId: string): Promise<DatabaseLinks> {
  const rows = await db
    .selectFrom('database_links')
    .select(['variable', 'database_id'])
    .where('environment_id', '=', environmentId)
    .orderBy('variable')
    .execute();
  return Object.fromEntries(rows.map(({ variable, database_id }) => [variable, database_id]));
}

export async function findLink(tx: Tx, { environmentId, variable }: LinkKey): Promise<DatabaseLinkRow | null> {
  const found = await tx
    .selectFrom('database_links')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('variable', '=', variable)
    .executeTakeFirst();
  return found ?? null;
}

export function insertLink(
  tx: Tx,
  { environmentId, variable, databaseId }: LinkKey & { databaseId: string },
): Promise<DatabaseLinkRow> {
  return tx
    .insertInto('database_links')
    .values({ environment_id: environmentId, variable, database_id: databaseId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Null when there is none to this database. */
export async function removeLink(
  tx: Tx,
  { environmentId, variable, databaseId }: LinkKey & { databaseId: string },
): Promise<{ applicationId: string } | null> {
  const removed = await tx
    .deleteFrom('database_links')
    .using('environments')
    .whereRef('environments.id', '=', 'database_links.environment_id')
    .where('environment_id', '=', environmentId)
    .where('variable', '=', variable)
    .where('database_id', '=', databaseId)
    .returning('application_id as applicationId')
    .executeTakeFirst();
  return removed ?? null;
}

/** Those that are there; one that is being deleted is as good as gone. */
export function findLinked(db: Db | Tx, databaseIds: readonly string[]): Promise<DatabaseRow[]> {
  return db
    .selectFrom('databases')
    .selectAll()
    .where('id', 'in', [...new Set(databaseIds)])
    .where('status', '<>', 'deleting')
    .execute();
}

/** The environments whose instances were given the database's address, or are about to be. */
export async function listUsers(db: Db, databaseId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from environments e
    where e.organisation_id = (select organisation_id from databases where id = ${databaseId})
      and exists (
        select from deployments d, jsonb_each_text(d.database_links) link
        where d.environment_id = e.id and (d.id = e.live_deployment_id or d.status = 'deploying')
          and d.run is not null and link.value = ${databaseId}
      )
    order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}
