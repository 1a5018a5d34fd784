import { escape, escapeId } from 'mysql2';
import type { RowDataPacket } from 'mysql2/promise';
import type { Admission, OwnerAccount } from './account-hosts.ts';
import { SOCKET_HOST } from './account-hosts.ts';
import { platformUser, type Session } from './connect.ts';

/** What a standby follows the primary with. */
export const REPLICATION_USER = 'lilac_replication';

/** What a dump reads with, while it does. */
export const DUMP_USER = 'lilac_dump';

/** Accounts that are not the customer's. */
export const ownUsers = (): string[] => [platformUser(), REPLICATION_USER, DUMP_USER, 'mariadb.sys'];

/** What is left to a customer whose storage is used up: to read, and to free some. */
const LEFT = ['select', 'delete', 'drop', 'lock tables', 'show view', 'execute', 'delete history'];
/** All others that somebody may have in one database. */
const TAKEN = [
  'insert',
  'update',
  'create',
  'references',
  'index',
  'alter',
  'create temporary tables',
  'create view',
  'create routine',
  'alter routine',
  'event',
  'trigger',
];
/** Whoever comes with this is not held by the server's own `read_only`, only by what is left to him. */
const PAST_READ_ONLY = 'read_only admin on *.*';

export interface KnownAccount extends OwnerAccount {
  user: string;
  hash: string;
}

export interface KnownGrant {
  /** As a grant names it. */
  database: string;
  isBraked: boolean;
}

export async function readAccounts({ connection }: Session): Promise<KnownAccount[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select user, host, json_value(priv, '$.authentication_string') as hash,
       coalesce(json_value(priv, '$.ssl_type'), 0) as encryption,
       coalesce(json_value(priv, '$.account_locked'), 0) as locked
     from mysql.global_priv where user not in (?) and user <> ''`,
    [ownUsers()],
  );
  return rows.map((row) => ({
    user: String(row['user']),
    host: String(row['host']),
    hash: String(row['hash']),
    admission: Number(row['locked']) ? 'nobody' : Number(row['encryption']) ? 'encrypted' : 'anyhow',
  }));
}

export const usersOf = (accounts: readonly KnownAccount[]): string[] => [...new Set(accounts.map(({ user }) => user))];

/** Those of the account for the socket, which is always there; all others have the same. */
export async function readGrants({ connection }: Session, user: string): Promise<KnownGrant[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'select db, insert_priv from mysql.db where user = ? and host = ?',
    [user, SOCKET_HOST],
  );
  return rows.map((row) => ({
    database: escapeId(String(row['db']), true),
    isBraked: row['insert_priv'] === 'N',
  }));
}

export interface AccountsWanted {
  user: string;
  hash: string;
  accounts: readonly OwnerAccount[];
}

/** What each admission asks for. */
const OPTIONS: Record<Admission, string> = {
  anyhow: 'require none account unlock',
  encrypted: 'require ssl account unlock',
  nobody: 'require ssl account lock',
};

export async function ensureAccounts({ connection }: Session, { user, hash, accounts }: AccountsWanted): Promise<void> {
  for (const [admission, options] of Object.entries(OPTIONS)) {
    const alike = accounts.filter((account) => account.admission === admission);
    if (alike.length === 0) continue;
    await connection.query(`create user if not exists ${identified(user, alike, hash)} ${options}`);
    await connection.query(`alter user ${named(user, alike)} ${options}`);
  }
}

export async function setHash({ connection }: Session, { user, hash, accounts }: AccountsWanted): Promise<void> {
  await connection.query(`alter user ${identified(user, accounts, hash)}`);
}

export async function dropAccounts(
  { connection }: Session,
  user: string,
  accounts: readonly OwnerAccount[],
): Promise<void> {
  if (accounts.length > 0) await connection.query(`drop user if exists ${named(user, accounts)}`);
}

export async function grant(
  { connection }: Session,
  { database, isBraked }: KnownGrant,
  { user, accounts }: Pick<AccountsWanted, 'user' | 'accounts'>,
): Promise<void> {
  const privileges = isBraked ? LEFT.join(', ') : 'all privileges';
  await connection.query(`grant ${privileges} on ${database}.* to ${named(user, accounts)}`);
  if (isBraked) await connection.query(`grant ${PAST_READ_ONLY} to ${named(user, accounts)}`);
}

/**
 * The text of a routine is shown to the account that made it, and the same owner comes with another one from another
 * network, or after an import. Who may read where the server keeps them sees all, and there are no others' here.
 */
export async function showRoutines(
  { connection }: Session,
  { user, accounts }: Pick<AccountsWanted, 'user' | 'accounts'>,
): Promise<void> {
  const [rows] = await connection.query<RowDataPacket[]>(
    "select host from mysql.tables_priv where user = ? and db = 'mysql' and table_name = 'proc'",
    [user],
  );
  const known = new Set(rows.map((row) => String(row['host'])));
  const blind = accounts.filter(({ host }) => !known.has(host));
  if (blind.length > 0) await connection.query(`grant select on mysql.proc to ${named(user, blind)}`);
}

export async function takeGrant(
  { connection }: Session,
  { database }: KnownGrant,
  { user, accounts }: Pick<AccountsWanted, 'user' | 'accounts'>,
): Promise<void> {
  await connection.query(`revoke ${TAKEN.join(', ')} on ${database}.* from ${named(user, accounts)}`);
  await connection.query(`grant ${PAST_READ_ONLY} to ${named(user, accounts)}`);
}

export async function giveGrantBack(
  { connection }: Session,
  { database }: KnownGrant,
  { user, accounts }: Pick<AccountsWanted, 'user' | 'accounts'>,
): Promise<void> {
  await connection.query(`revoke ${PAST_READ_ONLY} from ${named(user, accounts)}`);
  await connection.query(`grant ${TAKEN.join(', ')} on ${database}.* to ${named(user, accounts)}`);
}

/** In a grant the name of a database is a pattern, in which `_` stands for any character. */
export const inGrant = (database: string): string => escapeId(database.replaceAll(/[\\_%]/g, String.raw`\$&`), true);

const name = (user: string, host: string): string => `${escape(user)}@${escape(host)}`;
const named = (user: string, accounts: readonly OwnerAccount[]): string =>
  accounts.map(({ host }) => name(user, host)).join(', ');
const identified = (user: string, accounts: readonly OwnerAccount[], hash: string): string =>
  accounts
    .map(({ host }) => `${name(user, host)} identified via mysql_native_password using ${escape(hash)}`)
    .join(', ');
