import type pg from 'pg';
import { GRACE_MS, MOST_BYTES } from '../../explore/limits.ts';
import { tooLarge, tooSlow } from '../../explore/refusals.ts';
import type { ExplorerAccess } from '../../explorer.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsExplorer, connectAsOwner, type ConnectOptions, type Session } from '../connect.ts';
import { EXPLORER_ROLE } from '../host-based-access.ts';
import { ensureReadingRole } from '../reading-role.ts';
import { failureOf } from './failure.ts';
import { settleRights } from './reading-rights.ts';

export interface Opening {
  host: Pick<ServerHost, 'find'>;
  access: ExplorerAccess;
}

export interface SessionWants {
  timeoutMs: number;
  signal: AbortSignal;
  /** How others see the session. */
  name?: string;
  settings?: Readonly<Record<string, string>>;
  /** Whether it comes as one that only reads; left out: as the owner. */
  onlyReads?: boolean;
}

const LOCK_PART = 2 / 3;

export const SESSION_NAME = 'lilac explorer';

/** How values are written, whatever the customer prefers. */
const WRITING = {
  bytea_output: 'hex',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
};

/**
 * A session for one call. It ends with the call, with the signal, and with its time: the server looks
 * after its client itself, so that nothing runs on for one that is gone, be it the whole platform.
 */
export async function inSession<T>(
  { host, access }: Opening,
  { timeoutMs, signal, name = SESSION_NAME, settings, onlyReads = false }: SessionWants,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  let tooMuch: Error | null = null;
  try {
    const connect = onlyReads ? connectAsReading : connectAsOwner;
    const home = await homeOf(host, access.serverId);
    await using session = await connect(home, access, {
      settings: {
        ...WRITING,
        statement_timeout: `${timeoutMs}ms`,
        // Sooner, so that it can be told what was waited for.
        lock_timeout: `${Math.ceil(timeoutMs * LOCK_PART)}ms`,
        client_connection_check_interval: '100ms',
        ...settings,
      },
      bound: { mostBytes: MOST_BYTES, onExceeded: () => (tooMuch = tooLarge()) },
    });
    const timer = setTimeout(() => {
      tooMuch = tooSlow(timeoutMs);
      session.cut();
    }, timeoutMs + GRACE_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => session.cut(), { once: true, signal: ended.signal });
    signal.throwIfAborted();
    await session.client.query(`select pg_catalog.set_config('application_name', $1, false)`, [name]);
    if (onlyReads) {
      await settleRights(session.client, { home, access, signal });
      await readAs(session.client, access.user);
    }
    return await work(session.client);
  } catch (error) {
    signal.throwIfAborted();
    throw tooMuch ?? failureOf(error, timeoutMs);
  } finally {
    ended.abort();
  }
}

/** The account is not there, or may not come into the database. */
const NOT_LET_IN = new Set(['28000', '42501']);

async function connectAsReading(home: string, access: ExplorerAccess, options: ConnectOptions): Promise<Session> {
  const { databaseName } = access;
  const connect = () => connectAsExplorer(home, databaseName, options);
  return connect().catch(async (error: unknown) => {
    if (!NOT_LET_IN.has((error as { code?: string }).code ?? '')) throw error;
    await ensureReadingRole(home, { role: EXPLORER_ROLE, databaseName });
    return connect();
  });
}

/** What the owner has set for himself and what says what a statement means. */
const MEANINGS = ['search_path', 'timezone', 'default_text_search_config', 'lc_monetary', 'lc_numeric', 'lc_time'];

/** Names mean what they mean to the owner. */
async function readAs(client: pg.Client, user: string): Promise<void> {
  await client.query(
    `select pg_catalog.set_config(name, value, false) from (
       select pg_catalog.lower(pg_catalog.split_part(each, '=', 1)) as name,
         pg_catalog.substr(each, pg_catalog.strpos(each, '=') + 1) as value, setdatabase
       from pg_catalog.pg_db_role_setting, pg_catalog.unnest(setconfig) as each
       where setrole = (select oid from pg_catalog.pg_roles where rolname = $1)
         and setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
     ) as own where name = any ($2) order by setdatabase`,
    [user, MEANINGS],
  );
  await client.query(
    `select pg_catalog.set_config('search_path', pg_catalog.replace(
       pg_catalog.current_setting('search_path'), '"$user"', pg_catalog.quote_ident($1)), false)`,
    [user],
  );
}

/** Everything in one view of the data, and nothing of it remains. */
export async function reading<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read, read only');
  const result = await work();
  await client.query('rollback');
  return result;
}

/** All of it or nothing: what fails ends with its session. */
export async function changing<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin);
  const result = await work();
  await client.query('commit');
  return result;
}
