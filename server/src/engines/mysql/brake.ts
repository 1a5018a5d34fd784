import { setTimeout as delay } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { endSessions, kill } from './end-sessions.ts';
import {
  giveGrantBack,
  ownUsers,
  readAccounts,
  readGrants,
  takeGrant,
  usersOf,
  type KnownGrant,
} from './owner-accounts.ts';

/**
 * A session knows what it may do in a database since it chose it. So there are two brakes: the server's own `read_only`
 * holds the sessions that were there before, which go on reading; those that come later are let past it, and find that
 * nothing is left to them but to read, and to drop, truncate or delete what is not needed.
 */
export async function setBrake(home: string, isOn: boolean): Promise<void> {
  if (isOn) await pull(home);
  else await release(home);
}

/**
 * Whoever is let past `read_only` can turn it off as well, and so let on the sessions that were there before. They end
 * then, and those that come later know nothing of what they had. After a restart it is off, too.
 */
export async function keepBrake(home: string): Promise<void> {
  const users = await usersLetGo(home);
  if (users.length === 0) return;
  await shut(home);
  await endSessions(home, ({ user }) => users.includes(user));
  await using session = await connectAsPlatform(home);
  // Meanwhile there may be room again.
  if (!(await isBraked(session))) await session.connection.query('set global read_only = off');
}

async function usersLetGo(home: string): Promise<string[]> {
  await using session = await connectAsPlatform(home);
  const [[row]] = await session.connection.query<RowDataPacket[]>('select @@global.read_only as shut');
  if (Number(row?.['shut']) !== 0) return [];
  return (await readHeld(session, true)).filter(({ grants }) => grants.length > 0).map(({ user }) => user);
}

interface Held {
  user: string;
  grants: KnownGrant[];
}

async function pull(home: string): Promise<void> {
  if (!(await grantsWith(home, { isBraked: false })).some(({ grants }) => grants.length > 0)) return;
  await shut(home);
  await changeGrants(home, { isBraked: false }, takeGrant);
}

/** The sessions that came while it was on know no better, so they end. */
async function release(home: string): Promise<void> {
  const changed = await changeGrants(home, { isBraked: true }, giveGrantBack);
  await using session = await connectAsPlatform(home);
  await session.connection.query('set global read_only = off');
  if (changed.length > 0) await endSessions(home, ({ user }) => changed.includes(user));
}

async function grantsWith(home: string, { isBraked }: { isBraked: boolean }): Promise<Held[]> {
  await using session = await connectAsPlatform(home);
  return await readHeld(session, isBraked);
}

async function readHeld(session: Session, isBraked: boolean): Promise<Held[]> {
  const held = [];
  for (const user of usersOf(await readAccounts(session))) {
    const grants = (await readGrants(session, user)).filter((each) => each.isBraked === isBraked);
    held.push({ user, grants });
  }
  return held;
}

async function changeGrants(
  home: string,
  { isBraked }: { isBraked: boolean },
  change: typeof takeGrant,
): Promise<string[]> {
  return confirmed(home, async (session) => {
    const known = await readAccounts(session);
    const held = (await readHeld(session, isBraked)).filter(({ grants }) => grants.length > 0);
    for (const { user, grants } of held) {
      const accounts = known.filter((account) => account.user === user);
      for (const each of grants) await change(session, each, { user, accounts });
    }
    return held.map(({ user }) => user);
  });
}

const ROUND_MS = 20;

/** Waits for whoever writes, so those are ended meanwhile. */
async function shut(home: string): Promise<void> {
  const shutting = confirmed(home, ({ connection }) => connection.query('set global read_only = on'));
  const isOver = shutting.then(
    () => true,
    () => true,
  );
  await using session = await connectAsPlatform(home);
  do {
    for (const id of await listWriters(session)) await kill(session, id);
  } while (!(await Promise.race([isOver, delay(ROUND_MS, false)])));
  await shutting;
  for (const id of await listWriters(session)) await kill(session, id);
}

const READING = /^\s*(?:\(\s*)*(?:select|show|with|describe|desc|explain|set|use|begin|start|rollback|do)\b/i;

/** Whose transaction has written, and whose statement is about to. */
async function listWriters({ connection }: Session): Promise<number[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select p.id, p.info, coalesce(t.trx_rows_modified, 0) as changed
     from information_schema.processlist p
     left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id
     where p.user not in (?) and p.command <> 'Killed'`,
    [[...ownUsers(), 'system user', 'event_scheduler', 'unauthenticated user']],
  );
  return rows
    .filter((row) => Number(row['changed']) > 0 || (row['info'] !== null && !READING.test(String(row['info']))))
    .map((row) => Number(row['id']));
}

export async function isBraked({ connection }: Session): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select 1 from mysql.db where insert_priv = 'N' and user not in (?) limit 1`,
    [ownUsers()],
  );
  return rows.length > 0;
}
