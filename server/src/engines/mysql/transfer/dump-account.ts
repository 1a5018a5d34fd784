import { randomBytes } from 'node:crypto';
import type { RowDataPacket } from 'mysql2/promise';
import { createTurns } from '../../host/turns.ts';
import { SOCKET_HOST } from '../account-hosts.ts';
import { connectAsPlatform, type Session } from '../connect.ts';
import { nativeHash } from '../native-password.ts';
import { DUMP_USER, inGrant } from '../owner-accounts.ts';

export interface DumpAccount extends AsyncDisposable {
  user: string;
  password: string;
}

/** Of each server's home: how many dumps are at it, and what they come with. */
const inUse = new Map<string, { dumps: number; password: string }>();
const inTurn = createTurns();

/**
 * Nothing that changes a row. What the owner has made can run in its name, or views that call functions would count as
 * broken; and a function may not make triggers or events.
 */
const PRIVILEGES = 'select, execute, show view, trigger, event';

/**
 * An account that may read one database and nothing else, for as long as a dump takes. Somebody can put a view where a
 * table was a moment ago, and whoever reads it then runs its functions in his own name: that must not be the platform.
 */
export async function openDumpAccount(home: string, databaseName: string): Promise<DumpAccount> {
  const password = await inTurn(home, () =>
    unlogged(home, async ({ connection }) => {
      const known = inUse.get(home) ?? { dumps: 0, password: randomBytes(24).toString('hex') };
      if (known.dumps === 0) {
        await connection.query('create or replace user ?@? identified via mysql_native_password using ?', [
          DUMP_USER,
          SOCKET_HOST,
          nativeHash(known.password),
        ]);
        // The texts of routines; the privilege for that is known to newer series only.
        await connection.query('grant select on mysql.proc to ?@?', [DUMP_USER, SOCKET_HOST]);
      }
      const names = [DUMP_USER, SOCKET_HOST];
      await connection.query(`grant ${PRIVILEGES} on ${inGrant(databaseName)}.* to ?@?`, names);
      inUse.set(home, { ...known, dumps: known.dumps + 1 });
      return known.password;
    }),
  );
  return {
    user: DUMP_USER,
    password,
    async [Symbol.asyncDispose]() {
      const known = inUse.get(home);
      if (known && known.dumps > 1) inUse.set(home, { ...known, dumps: known.dumps - 1 });
      else inUse.delete(home);
      // Where the server has gone meanwhile, it is swept later.
      await sweepDumpAccount(home).catch(() => {});
    },
  };
}

/** What was left by a dump whose platform was killed. */
export function sweepDumpAccount(home: string): Promise<void> {
  return inTurn(home, async () => {
    if (inUse.has(home)) return;
    await unlogged(home, async ({ connection }) => {
      const [rows] = await connection.query<RowDataPacket[]>('select 1 from mysql.global_priv where user = ?', [
        DUMP_USER,
      ]);
      if (rows.length > 0) await connection.query('drop user if exists ?@?', [DUMP_USER, SOCKET_HOST]);
    });
  });
}

/** A standby need not know of it, and is not waited for. */
async function unlogged<T>(home: string, work: (session: Session) => Promise<T>): Promise<T> {
  await using session = await connectAsPlatform(home);
  await session.connection.query('set session sql_log_bin = 0');
  return await work(session);
}
