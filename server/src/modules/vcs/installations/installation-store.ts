import type { Role } from '@lilac/contract/permissions';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { VcsInstallationRow } from '../../../db/schema.ts';
import type { HostInstallation } from '../../../vcs/vcs-host.ts';

export interface LinkedInstallationRow extends VcsInstallationRow {
  linked_at: Date;
}

export interface InstallationLink {
  organisationId: string;
  installationId: number;
}

/** As the host tells it now, whether it was known or not. */
export async function saveInstallation(tx: Tx, installation: HostInstallation): Promise<void> {
  await tx
    .insertInto('vcs_installations')
    .values({ id: installation.id, ...columnsOf(installation) })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...columnsOf(installation), updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The same for one that is known; one that is not stays so. */
export async function updateInstallation(tx: Tx, installation: HostInstallation): Promise<void> {
  await tx
    .updateTable('vcs_installations')
    .set({ ...columnsOf(installation), updated_at: sql<Date>`now()` })
    .where('id', '=', String(installation.id))
    .execute();
}

/** False when it was linked before. */
export async function insertLink(
  tx: Tx,
  { organisationId, installationId, userId }: InstallationLink & { userId: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('vcs_installation_links')
    .values({ organisation_id: organisationId, installation_id: installationId, user_id: userId })
    .onConflict((conflict) => conflict.columns(['organisation_id', 'installation_id']).doNothing())
    .returning('installation_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False when there was none. */
export async function deleteLink(tx: Tx, { organisationId, installationId }: InstallationLink): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('vcs_installation_links')
    .where('organisation_id', '=', organisationId)
    .where('installation_id', '=', String(installationId))
    .returning('installation_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** In the order of their accounts. */
export function listLinkedInstallations(db: Db, organisationId: string): Promise<LinkedInstallationRow[]> {
  return selectLinked(db, organisationId).orderBy('i.account_login').orderBy('i.id').execute();
}

export async function findLinkedInstallation(
  db: Db,
  { organisationId, installationId }: InstallationLink,
): Promise<LinkedInstallationRow | null> {
  const found = await selectLinked(db, organisationId).where('i.id', '=', String(installationId)).executeTakeFirst();
  return found ?? null;
}

/** Who has lost it, and what it was called. */
export interface ForgottenInstallation {
  accountLogin: string;
  organisationIds: string[];
}

/** Takes it from every organisation. Null when it was not known. */
export async function forgetInstallation(tx: Tx, installationId: number): Promise<ForgottenInstallation | null> {
  const id = String(installationId);
  // Whoever links it meanwhile waits here, and makes it anew.
  const known = await tx
    .selectFrom('vcs_installations')
    .select('account_login')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!known) return null;
  const links = await tx
    .deleteFrom('vcs_installation_links')
    .where('installation_id', '=', id)
    .returning('organisation_id')
    .execute();
  await tx.deleteFrom('vcs_installations').where('id', '=', id).execute();
  return {
    accountLogin: known.account_login,
    organisationIds: links.map(({ organisation_id }) => organisation_id).toSorted(),
  };
}

/** What a person is in an organisation, and stays until the transaction ends; null: not a member. */
export async function holdRole(
  tx: Tx,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<Role | null> {
  const held = await tx
    .selectFrom('memberships')
    .select('role')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  return held?.role ?? null;
}

function selectLinked(db: Db, organisationId: string) {
  return db
    .selectFrom('vcs_installation_links as l')
    .innerJoin('vcs_installations as i', 'i.id', 'l.installation_id')
    .selectAll('i')
    .select('l.created_at as linked_at')
    .where('l.organisation_id', '=', organisationId);
}

function columnsOf({ account, repositorySelection, isSuspended, url }: HostInstallation) {
  return {
    account_id: account.id,
    account_login: account.login,
    account_type: account.type,
    repository_selection: repositorySelection,
    is_suspended: isSuspended,
    url,
  };
}
