import { escapeId } from 'mysql2';
import { EngineRefused, type DatabaseOwner } from '../engine.ts';
import { rulesOf } from '../access-rules.ts';
import type { AccessRules } from '../server.ts';
import { accountsFor, SOCKET_HOST } from './account-hosts.ts';
import { confirmed } from './confirmed.ts';
import type { Session } from './connect.ts';
import { endSessions } from './end-sessions.ts';
import { nativeHash } from './native-password.ts';
import {
  ensureAccounts,
  grant,
  inGrant,
  ownUsers,
  readAccounts,
  readGrants,
  setHash,
  showRoutines,
} from './owner-accounts.ts';
import { undoPrepared } from './prepared-transactions.ts';

export async function createDatabase(home: string, access: AccessRules, owner: DatabaseOwner): Promise<void> {
  const { databaseName, user } = owner;
  if (ownUsers().includes(user)) throw new EngineRefused(`The name ${user} is the platform's own.`);
  const hash = nativeHash(owner.password);
  await confirmed(home, async (session) => {
    await session.connection.query(`create database if not exists ${escapeId(databaseName)}`);
    const wanted = { user, hash, accounts: accountsFor(rulesOf(access), [SOCKET_HOST]) };
    await ensureAccounts(session, wanted);
    await setPasswordOfAll(session, { user, hash });
    const known = await readGrants(session, user);
    const own = known.find(({ database }) => database === inGrant(databaseName));
    await grant(session, own ?? { database: inGrant(databaseName), isBraked: false }, wanted);
    await showRoutines(session, wanted);
  });
}

/** Everything in it goes, with all sessions. Its grants stay: they belong to the name. */
export async function emptyDatabase(home: string, access: AccessRules, owner: DatabaseOwner): Promise<void> {
  await endSessions(home, ({ user }) => user === owner.user);
  await confirmed(home, async (session) => {
    await undoPrepared(session);
    await session.connection.query(`drop database if exists ${escapeId(owner.databaseName)}`);
  });
  await createDatabase(home, access, owner);
}

export async function setPassword(
  home: string,
  { user, password }: Pick<DatabaseOwner, 'user' | 'password'>,
): Promise<void> {
  await confirmed(home, (session) => setPasswordOfAll(session, { user, hash: nativeHash(password) }));
  await endSessions(home, (attendant) => attendant.user === user);
}

async function setPasswordOfAll(session: Session, { user, hash }: { user: string; hash: string }): Promise<void> {
  const accounts = (await readAccounts(session)).filter((account) => account.user === user);
  if (accounts.length === 0) throw new EngineRefused(`The database has no user ${user}.`);
  await setHash(session, { user, hash, accounts });
}
