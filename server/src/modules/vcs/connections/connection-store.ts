import type { GitProvider } from '@lilac/contract/states';
import type { Db, Tx } from '../../../db/pool.ts';
import type { VcsConnectionRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import type { HostPerson } from '../../../vcs/vcs-host.ts';

export interface ConnectionToSave {
  provider: GitProvider;
  userId: string;
  person: HostPerson;
  /** Seals the tokens for the row they come to stand in: `(id) => sealTokens(keyring, id, tokens)`. */
  seal: (connectionId: string) => string;
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
  return db
    .selectFrom('vcs_connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .orderBy((is) => is('trouble', 'is not', null))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
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

/** Deletes the connection, and its links with it. */
export async function deleteConnection(tx: Tx, connectionId: string): Promise<void> {
  await tx.deleteFrom('vcs_connections').where('id', '=', connectionId).execute();
}

function selectOwn(db: Db, { userId, provider, connectionId }: OwnConnection) {
  return db
    .selectFrom('vcs_connections')
    .selectAll()
    .where('id', '=', connectionId)
    .where('user_id', '=', userId)
    .where('provider', '=', provider);
}
