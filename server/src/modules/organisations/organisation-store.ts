import type { Plan } from '@lilac/contract/plans';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { OrganisationRow } from '../../db/schema.ts';

export interface OrganisationToInsert {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
}

/** Null when the slug is taken. */
export async function insertOrganisation(tx: Tx, organisation: OrganisationToInsert): Promise<OrganisationRow | null> {
  const inserted = await tx
    .insertInto('organisations')
    .values(organisation)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? null;
}

export async function findOrganisation(db: Db, id: string): Promise<OrganisationRow | null> {
  const found = await db.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirst();
  return found ?? null;
}

export function updateOrganisation(
  tx: Tx,
  id: string,
  change: { name?: string; plan?: Plan },
): Promise<OrganisationRow> {
  return tx
    .updateTable('organisations')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Whoever changes it, its members or invitations takes this first: one at a time for an organisation, and in one
 * order. Null when it was deleted meanwhile.
 */
export async function lockOrganisation(tx: Tx, id: string): Promise<OrganisationRow | null> {
  const locked = await tx
    .selectFrom('organisations')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

/** Nobody can add anything to the organisation until the transaction ends. */
export async function lockOrganisationForDelete(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('organisations').select('id').where('id', '=', id).forUpdate().execute();
}

export async function hasApplications(db: Db, organisationId: string): Promise<boolean> {
  const first = await db
    .selectFrom('applications')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
}

export async function deleteOrganisation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('organisations').where('id', '=', id).execute();
}
