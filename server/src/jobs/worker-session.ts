import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import { CANCEL_CHANNEL, WAKE_CHANNEL } from './queue-store.ts';
import { WORKER_LOCK_CLASS } from './recovery-store.ts';

/** A connection that holds the lock on the worker's name. As long as it stands, the worker counts as alive. */
export interface WorkerSession {
  query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export interface SessionOptions {
  store: Pick<Store, 'newClient'>;
  name: string;
  log: Log;
  /** Runs on every new session before it is used, and again on the next one when it fails. */
  prepare(session: WorkerSession): Promise<void>;
  onReady(): void;
  /** There is none any more, whether it was ready or not. */
  onLost?(): void;
  onNotification(channel: string, payload: string): void;
}

export interface KeptSession {
  /** Null while there is none. */
  current(): WorkerSession | null;
  /** Since when there has been none, by the monotonic clock; null while there is one. */
  lostAt(): number | null;
  close(): Promise<void>;
}

const RECONNECT_MS = 100;
const LOCK_RETRY_MS = 50;
/** An answer this late is no answer: the other end may be gone without a word. */
const ANSWER_MS = 5000;

/** Keeps one session open, and opens another whenever it is lost. */
export function keepSession(options: SessionOptions): KeptSession {
  const closing = new AbortController();
  let session: WorkerSession | null = null;
  let lostAt: number | null = performance.now();

  const serve = async (): Promise<void> => {
    const client = options.store.newClient();
    // One that does not answer may never be seen to end.
    const ended = Promise.withResolvers<void>();
    client.once('end', () => ended.resolve());
    const abandon = () => void client.end().catch(() => {});
    closing.signal.addEventListener('abort', abandon, { once: true });
    try {
      const opened = await openSession(client, options, { closing: closing.signal, onBroken: () => ended.resolve() });
      await options.prepare(opened);
      [session, lostAt] = [opened, null];
      options.onReady();
      await ended.promise;
      if (!closing.signal.aborted) options.log.warn('the worker lost its session with the store');
    } finally {
      if (session) [session, lostAt] = [null, performance.now()];
      options.onLost?.();
      closing.signal.removeEventListener('abort', abandon);
      abandon();
    }
  };
  const loop = (async () => {
    while (!closing.signal.aborted) {
      await serve().catch((error: unknown) => {
        if (!closing.signal.aborted) options.log.warn({ err: error }, 'the worker cannot reach the store');
      });
      if (!closing.signal.aborted) await delay(RECONNECT_MS);
    }
  })();
  return {
    current: () => session,
    lostAt: () => lostAt,
    close: () => {
      closing.abort();
      return loop;
    },
  };
}

async function openSession(
  client: pg.Client,
  options: SessionOptions,
  { closing, onBroken }: { closing: AbortSignal; onBroken: () => void },
): Promise<WorkerSession> {
  await answerInTime(client.connect());
  // One at a time: the driver wants its callers to wait their turn by themselves.
  let turn: Promise<unknown> = Promise.resolve();
  const session: WorkerSession = {
    async query<Row extends object>(text: string, values: readonly unknown[]) {
      const statement = { name: nameOf(text), text, values: [...values] };
      const answer = turn.then(() => answerInTime(client.query<Row>(statement)));
      turn = answer.catch(() => {});
      try {
        return (await answer).rows;
      } catch (error) {
        // The store refused the statement, and the session is sound; anything else is the end of it.
        if (!isRefusal(error)) onBroken();
        throw error;
      }
    },
  };
  await answerInTime(client.query(`${PLANNING}; ${PATIENCE}`));
  client.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''));
  await lockName(session, options, closing);
  await client.query(`listen ${WAKE_CHANNEL}; listen ${CANCEL_CHANNEL}`);
  return session;
}

/**
 * A queue is full one moment and empty the next, so the planner's statistics of it are always wrong:
 * left to itself it sorts the whole queue to take one job. These leave it the walk along the index.
 */
export const PLANNING = `
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set jit = off`;

/**
 * Less than an answer may take: what waits for somebody's lock is refused, and the session goes on. Otherwise it would
 * be given up, while the store's side of it waited on with all that it holds.
 */
const PATIENCE = `set lock_timeout = '4s'`;

const names = new Map<string, string>();

/** Named statements are planned once. There are a few texts, asked again and again. */
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('md5').update(text).digest('hex');
  names.set(text, name);
  return name;
}

/** Held by an earlier process of this name until the store has noticed its end, which takes milliseconds. */
async function lockName(session: WorkerSession, { name, log }: SessionOptions, closing: AbortSignal): Promise<void> {
  for (let tries = 1; !closing.aborted; tries++) {
    const rows = await session.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', [
      WORKER_LOCK_CLASS,
      name,
    ]);
    if (rows[0]?.held) return;
    if (tries % 100 === 0) log.warn({ name }, 'another worker of this name is connected; waiting for it to end');
    await delay(LOCK_RETRY_MS);
  }
}

/** With a bare timer: one that is aborted makes an error with its stack, for every statement. */
async function answerInTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(new Error(`The store did not answer within ${ANSWER_MS} ms.`));
  const timer = setTimeout(refuse, ANSWER_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => {});
  }
}

/** A statement's own error, and not one that says that the server ends the session (classes 57P and 08). */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(57P|08)/.test(error.code ?? '08');
}
