import type pg from 'pg';
import { GRACE_MS, MOST_BYTES } from '../../explore/limits.ts';
import { tooLarge, tooSlow } from '../../explore/refusals.ts';
import type { ExplorerAccess } from '../../explorer.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { connectAsOwner, homeOf } from '../connect.ts';
import { failureOf } from './failure.ts';

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
}

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
 * A session for one call, as the owner. It ends with the call, with the signal, and with its time: the server looks
 * after its client itself, so that nothing runs on for one that is gone, be it the whole platform.
 */
export async function inSession<T>(
  { host, access }: Opening,
  { timeoutMs, signal, name = SESSION_NAME, settings }: SessionWants,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  let tooMuch: Error | null = null;
  try {
    await using session = await connectAsOwner(await homeOf(host, access.serverId), access, {
      settings: {
        ...WRITING,
        statement_timeout: `${timeoutMs}ms`,
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
    return await work(session.client);
  } catch (error) {
    signal.throwIfAborted();
    throw tooMuch ?? failureOf(error, timeoutMs);
  } finally {
    ended.abort();
  }
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
