import type { GitProvider } from '@lilac/contract/states';
import type { Db, Tx } from '../../../db/pool.ts';
import type { VcsConnectionRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import type { HostPerson } from '../../../vcs/vcs-host.ts';
import { wantsPushes } from '../hooks/hook-store.ts';

export interface WaitingForPushes {
  id: string;
  /** In lower case. */
  path: string | null;
}

export interface ConnectionToSave {
  provider: GitProvider;
  userId: string;
  person: HostPerson;
  /** Seals the tokens for the row they come to stand in: `(id) => sealTokens(keyring, id, tokens)`. */
  seal: (connectionId: string) => string;
}

export interface LinkedConnectionRow extends VcsConnectionRow {
  owner_email: string;
  linked_at: Date;
}

/** A person who signs in again with the same account of the host gets the same connection, free of its trouble. */
export async function saveConnection(
  tx: Tx,
  { provider, userId, person, seal }: ConnectionToSave,
): Promise<VcsConnectionRow> {
  const id = newId('vcc');
  const saved = await tx
    .insertInto('vcs_connections')
    .values({
      id,
      provider,
      user_id: userId,
      host_user_id: person.id,
      account_login: person.login,
      tokens: seal(id),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'provider', 'host_user_id'])
        .doUpdateSet({ account_login: person.login, trouble: null, updated_at: (is) => is.fn('now') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  if (saved.id === id) return saved;
  // Which row it is was not known before it was locked, and tokens open in their own row only.
  return updateTokens(tx, { connectionId: saved.id, tokens: seal(saved.id) });
}

/** `updated_at` stays: it tells when the person was last at the host. */
export function updateTokens(
  tx: Tx,
  { connectionId, tokens }: { connectionId: string; tokens: string },
): Promise<VcsConnectionRow> {
  return tx
    .updateTable('vcs_connections')
    .set({ tokens })
    .where('id', '=', connectionId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function markTrouble(
  tx: Tx,
  { connectionId, trouble }: { connectionId: string; trouble: string },
): Promise<void> {
  await tx.updateTable('vcs_connections').set({ trouble }).where('id', '=', connectionId).execute();
}

/** Those of a person that work come first, then the one they signed in with last. */
export function listConnectionsOf(
  db: Db,
  { userId, provider }: { userId: string; provider: GitProvider },
): Promise<VcsConnectionRow[]> {
  return selectConnectionsOf(db, { userId, provider }).execute();
}

export async function findConnectionOf(
  db: Db,
  of: { userId: string; provider: GitProvider },
): Promise<VcsConnectionRow | null> {
  return (await selectConnectionsOf(db, of).limit(1).executeTakeFirst()) ?? null;
}

/** Null when it is gone. Whoever refreshes its tokens takes turns; it may be linked meanwhile. */
export async function lockConnection(tx: Tx, connectionId: string): Promise<VcsConnectionRow | null> {
  const locked = await tx
    .selectFrom('vcs_connections')
    .selectAll()
    .where('id', '=', connectionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

export interface OwnConnection {
  userId: string;
  provider: GitProvider;
  connectionId: string;
}

/** Null when the person has no such connection; it stays until the transaction has ended. */
export async function keepOwnConnection(tx: Tx, own: OwnConnection): Promise<VcsConnectionRow | null> {
  return (await selectOwn(tx, own).forKeyShare().executeTakeFirst()) ?? null;
}

/** The same for whoever deletes it: nobody links it any more. */
export async function lockOwnConnection(tx: Tx, own: OwnConnection): Promise<VcsConnectionRow | null> {
  return (await selectOwn(tx, own).forUpdate().executeTakeFirst()) ?? null;
}

/** Its links go with it. */
export async function deleteConnection(tx: Tx, connectionId: string): Promise<void> {
  await tx.deleteFrom('vcs_connections').where('id', '=', connectionId).execute();
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

/** The applications of an organisation that the host is to tell of pushes. */
export async function listWaitingForPushes(
  db: Db,
  { organisationId, provider }: { organisationId: string; provider: GitProvider },
): Promise<WaitingForPushes[]> {
  return db
    .selectFrom('applications as a')
    .select(['a.id', 'a.repository_path as path'])
    .where('a.organisation_id', '=', organisationId)
    .where('a.git_provider', '=', provider)
    .where('a.repository_path', 'is not', null)
    .where(wantsPushes)
    .orderBy('a.id')
    .execute();
}

export async function findLinkedConnection(
  db: Db,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<LinkedConnectionRow | null> {
  return (await selectLinked(db, organisationId).where('c.id', '=', connectionId).executeTakeFirst()) ?? null;
}

function selectConnectionsOf(db: Db, { userId, provider }: { userId: string; provider: GitProvider }) {
  return db
    .selectFrom('vcs_connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .orderBy((is) => is('trouble', 'is not', null))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc');
}

function selectOwn(db: Db, { userId, provider, connectionId }: OwnConnection) {
  return db
    .selectFrom('vcs_connections')
    .selectAll()
    .where('id', '=', connectionId)
    .where('user_id', '=', userId)
    .where('provider', '=', provider);
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
