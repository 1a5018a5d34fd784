import type pg from 'pg';
import { EngineRefused } from '../engine.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { WAITS_FOR_NOBODY } from './session-settings.ts';

const LOOK_MS = 1000;
/** Longer than a standby takes that is only slow. */
const PATIENCE_MS = 5000;

/**
 * Work whose commits a standby must have too, where there is one. A commit that waits for one that is gone would wait
 * for ever: it is ended, and what was done is not taken for done, so that the caller does it again.
 */
export async function confirmed(home: string, work: (session: Session) => Promise<void>): Promise<void> {
  await using session = await connectAsPlatform(home, 'postgres', { settings: WAITS_FOR_NOBODY });
  const { rows } = await session.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await using watch = watchWaiting(home, rows[0]?.pid ?? 0);
  await work(session);
  if (watch.hasEnded) throw new EngineRefused('The standby of this database does not answer.');
}

interface Watch extends AsyncDisposable {
  hasEnded: boolean;
}

function watchWaiting(home: string, pid: number): Watch {
  let waitingSince: number | null = null;
  let looking: Promise<void> | undefined;
  const watch: Watch = {
    hasEnded: false,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };

  async function look(): Promise<void> {
    await using session = await connectAsPlatform(home);
    waitingSince = (await isWaiting(session.client, pid)) ? (waitingSince ?? Date.now()) : null;
    if (waitingSince === null || Date.now() - waitingSince < PATIENCE_MS) return;
    // It is committed here all the same.
    watch.hasEnded = true;
    await session.client.query('select pg_cancel_backend($1)', [pid]);
  }

  const timer = setInterval(() => {
    // What hinders a look hinders the work as well, which tells of it.
    looking ??= look()
      .catch(() => {})
      .finally(() => (looking = undefined));
  }, LOOK_MS);
  return watch;
}

async function isWaiting(client: pg.Client, pid: number): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'", [
    pid,
  ]);
  return rowCount === 1;
}
