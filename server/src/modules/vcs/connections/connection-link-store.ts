import type { GitProvider } from '@lilac/contract/states';
import type { Db, Tx } from '../../../db/pool.ts';
import type { VcsConnectionRow } from '../../../db/schema.ts';

export interface LinkedConnectionRow extends VcsConnectionRow {
  owner_email: string;
  linked_at: Date;
}

/**
 * `known`: it was linked before. Null when the person whose connection it is does not belong to the organisation (any
 * more): a link never outlives the membership.
 */
export async function linkConnection(
  tx: Tx,
  { organisationId, connection }: { organisationId: string; connection: Pick<VcsConnectionRow, 'id' | 'user_id'> },
): Promise<'linked' | 'known' | null> {
  const member = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('organisation_id', '=', organisationId)
    .where('user_id', '=', connection.user_id)
    .forKeyShare()
    .executeTakeFirst();
  if (!member) return null;
  const linked = await tx
    .insertInto('vcs_connection_links')
    .values({ organisation_id: organisationId, connection_id: connection.id, user_id: connection.user_id })
    .onConflict((conflict) => conflict.columns(['organisation_id', 'connection_id']).doNothing())
    .returning('connection_id')
    .executeTakeFirst();
  return linked ? 'linked' : 'known';
}

/** The connection that the organisation has lost; null when it had none of that name. */
export async function unlinkConnection(
  tx: Tx,
  { organisationId, provider, connectionId }: { organisationId: string; provider: GitProvider; connectionId: string },
): Promise<Pick<VcsConnectionRow, 'account_login'> | null> {
  const unlinked = await tx
    .deleteFrom('vcs_connection_links as l')
    .using('vcs_connections as c')
    .whereRef('c.id', '=', 'l.connection_id')
    .where('l.organisation_id', '=', organisationId)
    .where('l.connection_id', '=', connectionId)
    .where('c.provider', '=', provider)
    .returning('c.account_login')
    .executeTakeFirst();
  return unlinked ?? null;
}

/** What an organisation uses of a person's, in the order of linking. */
export function listLinksOf(
  db: Db | Tx,
  { organisationId, userId }: { organisationId: string; userId: string },
): Promise<Pick<VcsConnectionRow, 'id' | 'provider' | 'account_login'>[]> {
  return db
    .selectFrom('vcs_connection_links as l')
    .innerJoin('vcs_connections as c', 'c.id', 'l.connection_id')
    .select(['c.id', 'c.provider', 'c.account_login'])
    .where('l.organisation_id', '=', organisationId)
    .where('l.user_id', '=', userId)
    .orderBy('l.created_at')
    .orderBy('c.id')
    .execute();
}

/** The organisations that use it. They stay until the transaction has ended. */
export async function keepOrganisationsUsing(tx: Tx, connectionId: string): Promise<string[]> {
  const using = await tx
    .selectFrom('vcs_connection_links as l')
    .innerJoin('organisations as o', 'o.id', 'l.organisation_id')
    .select('o.id')
    .where('l.connection_id', '=', connectionId)
    .orderBy('o.id')
    .forKeyShare('o')
    .execute();
  return using.map(({ id }) => id);
}

/** Those that work first, then in the order of linking. */
export function listLinkedConnections(
  db: Db,
  { organisationId, provider }: { organisationId: string; provider: GitProvider },
): Promise<LinkedConnectionRow[]> {
  return selectLinked(db, organisationId)
    .where('c.provider', '=', provider)
    .orderBy((is) => is('c.trouble', 'is not', null))
    .orderBy('l.created_at')
    .orderBy('c.id')
    .execute();
}

export async function findLinkedConnection(
  db: Db,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<LinkedConnectionRow | null> {
  return (await selectLinked(db, organisationId).where('c.id', '=', connectionId).executeTakeFirst()) ?? null;
}

function selectLinked(db: Db, organisationId: string) {
  return db
    .selectFrom('vcs_connection_links as l')
    .innerJoin('vcs_connections as c', 'c.id', 'l.connection_id')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .selectAll('c')
    .select(['u.email as owner_email', 'l.created_at as linked_at'])
    .where('l.organisation_id', '=', organisationId);
}
