import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { confirmed } from '../confirmed.ts';
import { connectAsPlatform, connectAsReader, type ConnectOptions, type Session } from '../connect.ts';
import { isCrowded } from '../health.ts';
import { READER_ROLE } from '../host-based-access.ts';

const { escapeIdentifier: name } = pg;

/** Duplicate object, unique violation: another dump has just made it. */
const IS_THERE = new Set(['42710', '23505']);

/**
 * What a dump reads runs in somebody's name: a view, a cast, a function where a table has just been. None of it may run
 * as superuser, and a superuser's session cannot become less than that: so there is an account that only reads. The
 * owner may take from it the right to come into the database, and it is given back.
 */
export async function ensureReader(home: string, databaseName: string): Promise<void> {
  if (await isThere(home, databaseName)) return;
  await confirmed(home, async ({ client }) => {
    try {
      await client.query(`create role ${READER_ROLE} login`);
    } catch (error) {
      if (!IS_THERE.has((error as { code?: string }).code ?? '')) throw error;
    }
    await client.query(`alter role ${READER_ROLE} login nosuperuser bypassrls connection limit -1 password null`);
    await client.query(`grant pg_read_all_data to ${READER_ROLE}`);
    await client.query(`grant connect on database ${name(databaseName)} to ${READER_ROLE}`);
  });
}

async function isThere(home: string, databaseName: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  const { rowCount } = await session.client.query(
    `select from pg_roles r
     where rolname = $1 and rolcanlogin and rolbypassrls and not rolsuper
       and pg_has_role(r.oid, 'pg_read_all_data', 'usage') and has_database_privilege(r.oid, $2, 'connect')`,
    [READER_ROLE, databaseName],
  );
  return rowCount === 1;
}

const PATIENCE_MS = 60_000;
const LOOK_MS = 200;

/** No place is kept for the reader, so where clients have all of them it waits until one goes. */
export async function openReader(
  home: string,
  databaseName: string,
  { signal, ...options }: ConnectOptions & { signal: AbortSignal },
): Promise<Session> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      return await connectAsReader(home, databaseName, options);
    } catch (error) {
      if (!isCrowded(error) || Date.now() > deadline) throw error;
      await delay(LOOK_MS, undefined, { signal });
    }
  }
}
