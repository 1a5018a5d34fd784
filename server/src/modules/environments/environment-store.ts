import { sql, type Insertable, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { EnvironmentRow, EnvironmentsTable } from '../../db/schema.ts';

export type EnvironmentToInsert = Insertable<EnvironmentsTable>;
export type EnvironmentColumns = Omit<Updateable<EnvironmentsTable>, 'id' | 'organisation_id' | 'application_id'>;

/** Production first, then the oldest. */
export function listEnvironments(db: Db, applicationId: string): Promise<EnvironmentRow[]> {
  return db
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('is_production', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function insertEnvironment(tx: Tx, environment: EnvironmentToInsert): Promise<EnvironmentRow> {
  return tx.insertInto('environments').values(environment).returningAll().executeTakeFirstOrThrow();
}

/** Whoever changes an environment takes this first: one at a time. Null when it is gone. */
export async function lockEnvironment(tx: Tx, id: string): Promise<EnvironmentRow | null> {
  const locked = await tx
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

/** In the order of their ids, so that two who take several cannot wait for each other. */
export function lockEnvironmentsOf(tx: Tx, applicationId: string): Promise<EnvironmentRow[]> {
  return tx
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export function updateEnvironment(tx: Tx, id: string, columns: EnvironmentColumns): Promise<EnvironmentRow> {
  return tx
    .updateTable('environments')
    .set({ ...columns, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** In whatever case. */
export async function findEnvironmentNamed(
  tx: Tx,
  { applicationId, name }: { applicationId: string; name: string },
): Promise<EnvironmentRow | null> {
  const found = await tx
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst();
  return found ?? null;
}

export async function findProduction(db: Db | Tx, applicationId: string): Promise<EnvironmentRow | null> {
  const found = await db
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('is_production', '=', true)
    .executeTakeFirst();
  return found ?? null;
}

export interface LockRow {
  /** Null where anybody may come. */
  passwordHash: string | null;
  /** What the edges check cookies with; of the same moment as the hash. */
  key: string | null;
}

/** Null where there is no such environment, or soon will be none. */
export async function findLock(db: Db, environmentId: string): Promise<LockRow | null> {
  const found = await db
    .selectFrom('environments as e')
    .leftJoin('routes as r', 'r.environment_id', 'e.id')
    .select(['e.password_hash as passwordHash', sql<string | null>`r.lock ->> 'key'`.as('key')])
    .where('e.id', '=', environmentId)
    .where('e.status', '<>', 'deleting')
    .executeTakeFirst();
  return found ?? null;
}
