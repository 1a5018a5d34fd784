import type { RowDataPacket } from 'mysql2/promise';
import { networkContains } from '../networks.ts';
import { mayCome, rulesOf, type AccessRule } from '../access-rules.ts';
import type { AccessRules } from '../server.ts';
import { accountsFor, networkOf, SOCKET_HOST, type OwnerAccount } from './account-hosts.ts';
import { confirmed } from './confirmed.ts';
import type { Session } from './connect.ts';
import { sweepDumpAccount } from './transfer/dump-account.ts';
import { endSessions } from './end-sessions.ts';
import {
  dropAccounts,
  ensureAccounts,
  grant,
  readAccounts,
  readGrants,
  showRoutines,
  usersOf,
  type KnownAccount,
} from './owner-accounts.ts';

/** Harmless when it is so already; but whoever is just coming has to come again. */
export async function setAccess(home: string, access: AccessRules): Promise<void> {
  const rules = rulesOf(access);
  const { known } = await changeAccess(home, rules);
  await endStrangers(home, known, rules);
}

/** When it is so already, nothing is written, and nobody's session is ended. */
export async function keepAccess(home: string, access: AccessRules): Promise<void> {
  const rules = rulesOf(access);
  const { known, isChanged } = await changeAccess(home, rules);
  await sweepDumpAccount(home);
  if (isChanged) await endStrangers(home, known, rules);
}

function changeAccess(home: string, rules: AccessRule[]): Promise<{ known: KnownAccount[]; isChanged: boolean }> {
  return confirmed(home, async (session) => {
    const known = await readAccounts(session);
    let isChanged = false;
    for (const user of usersOf(known)) isChanged = (await changeAccounts(session, user, { known, rules })) || isChanged;
    return { known, isChanged };
  });
}

/** Through the socket the explorer comes in the owner's name. It stays, but where nobody at all is to be let in. */
async function endStrangers(home: string, before: readonly KnownAccount[], rules: AccessRule[]): Promise<void> {
  const users = usersOf(before);
  const isStranger = (host: string) =>
    host === SOCKET_HOST ? rules.length === 0 : !maySurvive(host, { before, rules });
  await endSessions(home, ({ user, host }) => users.includes(user) && isStranger(host));
}

/** Whether somebody encrypts is not listed; whoever could come plainly before may not have done so. */
function maySurvive(address: string, { before, rules }: { before: readonly OwnerAccount[]; rules: AccessRule[] }) {
  if (mayCome(rules, address, false)) return true;
  const cameEncrypted = !before.some(({ host, admission }) => admission === 'anyhow' && isOf(host, address));
  return cameEncrypted && mayCome(rules, address, true);
}

function isOf(host: string, address: string): boolean {
  const network = networkOf(host);
  return network !== null && networkContains(network, address);
}

/** Whether there was something to change. */
async function changeAccounts(
  session: Session,
  user: string,
  { known, rules }: { known: readonly KnownAccount[]; rules: readonly AccessRule[] },
): Promise<boolean> {
  const own = known.filter((account) => account.user === user);
  const wanted = accountsFor(rules, [SOCKET_HOST]);
  const stale = own.filter(({ host }) => !wanted.some((account) => account.host === host));
  const needed = stale.length > 0 ? await makersAmong(session, user, stale) : [];
  const accounts = accountsFor(rules, [SOCKET_HOST, ...needed]);
  if (needed.length === stale.length && accounts.every((account) => own.some((each) => isSame(each, account)))) {
    await showRoutines(session, { user, accounts });
    return false;
  }
  const hash = own.find(({ host }) => host === SOCKET_HOST)?.hash ?? '';
  await ensureAccounts(session, { user, hash, accounts });
  for (const each of await readGrants(session, user)) await grant(session, each, { user, accounts });
  await showRoutines(session, { user, accounts });
  const gone = stale.filter(({ host }) => !needed.includes(host));
  await dropAccounts(session, user, gone);
  return true;
}

const isSame = (left: OwnerAccount, right: OwnerAccount): boolean =>
  left.host === right.host && left.admission === right.admission;

/**
 * A view, a routine, a trigger or an event belongs to the account that its maker came with, and without that it does not
 * work any more. So those accounts stay, for nobody to come with.
 */
async function makersAmong(session: Session, user: string, stale: readonly OwnerAccount[]): Promise<string[]> {
  const names = stale.map(({ host }) => `${user}@${host}`);
  const [rows] = await session.connection.query<RowDataPacket[]>(
    `select definer from information_schema.views where definer in (?)
     union select definer from mysql.proc where definer in (?)
     union select definer from mysql.event where definer in (?)
     union select definer from information_schema.triggers where definer in (?)`,
    [names, names, names, names],
  );
  const needed = new Set(rows.map((row) => String(row['definer'])));
  return stale.map(({ host }) => host).filter((host) => needed.has(`${user}@${host}`));
}
