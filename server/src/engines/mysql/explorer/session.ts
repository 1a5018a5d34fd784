import type { Connection } from 'mysql2/promise';
import { GRACE_MS, MOST_BYTES } from '../../explore/limits.ts';
import { tooLarge, tooSlow } from '../../explore/refusals.ts';
import type { ExplorerAccess } from '../../explorer.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { AnswerTooLarge } from '../answer-bound.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsOwner } from '../connect.ts';
import { failureOf } from './failure.ts';

export interface Opening {
  host: Pick<ServerHost, 'find'>;
  access: ExplorerAccess;
}

export interface SessionWants {
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ExplorerSession {
  connection: Connection;
  /** Ends it, whatever it is doing, since what is wanted of it is there. */
  leave(): void;
}

/** Names of columns are the customer's own: no program is made of them. */
const READING = {
  charset: 'utf8mb4',
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  jsonStrings: true,
  rowsAsArray: true,
  disableEval: true,
} as const;

const END_MS = 2000;

/**
 * A session for one call, as the owner. It ends with the call, with the signal, and with its time. A server that
 * computes does not see that its client is gone, so it is told.
 */
export async function inSession<T>(
  { host, access }: Opening,
  { timeoutMs, signal }: SessionWants,
  work: (session: ExplorerSession) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  let ending: Promise<void> | undefined;
  let refusal: { reason: unknown } | undefined;
  try {
    const home = await homeOf(host, access.serverId);
    await using session = await connectAsOwner(home, access, {
      reading: READING,
      bound: { mostBytes: MOST_BYTES, onExceeded: () => end(tooLarge()) },
    });
    const { connection } = session;
    // A statement whose rows are told one after another does not hear that its connection is gone.
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => {});
    connection.on('error', lost.reject);
    const leave = () => {
      connection.off('error', lost.reject);
      session.cut();
      ending ??= endOnServer(home, access, connection.threadId);
    };
    const end = (reason: Error) => {
      lost.reject(reason);
      leave();
    };
    const timer = setTimeout(() => end(tooSlow(timeoutMs)), timeoutMs + GRACE_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => end(new Error('Nobody waits for it.')), {
      once: true,
      signal: ended.signal,
    });
    signal.throwIfAborted();
    await access.onceIn?.().catch((reason: unknown) => {
      refusal = { reason };
      throw reason;
    });
    await connection.query(`set session max_statement_time = ${timeoutMs / 1000}`);
    const working = work({ connection, leave }).catch((error: unknown) => {
      // The server would go on saying it.
      if (error instanceof AnswerTooLarge) leave();
      throw error;
    });
    return await Promise.race([working, lost.promise]);
  } catch (error) {
    signal.throwIfAborted();
    if (refusal) throw refusal.reason;
    throw failureOf(error, timeoutMs);
  } finally {
    ended.abort();
    await ending;
  }
}

/** Should nobody be let in any more, it ends with its time. */
async function endOnServer(home: string, access: ExplorerAccess, threadId: number): Promise<void> {
  try {
    await using session = await connectAsOwner(home, access, { timeoutMs: END_MS });
    await session.connection.query(`kill connection ${threadId}`);
  } catch {
    // It has ended already, or ends with its time.
  }
}

/** Everything in one view of the data. The session cannot write any more, whatever becomes of this transaction. */
export async function beginReading(connection: Connection): Promise<void> {
  await connection.query('set session transaction read only');
  await connection.query('start transaction with consistent snapshot, read only');
}

/** All of it or nothing: what fails ends with its session. */
export async function changing<T>(connection: Connection, lockMs: number, work: () => Promise<T>): Promise<T> {
  const seconds = lockMs / 1000;
  await connection.query(`set session lock_wait_timeout = ${seconds}, session innodb_lock_wait_timeout = ${seconds}`);
  await connection.query('start transaction');
  const result = await work();
  await connection.query('commit');
  return result;
}
