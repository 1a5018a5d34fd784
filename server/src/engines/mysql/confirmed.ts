import type { RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../engine.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { kill } from './end-sessions.ts';

/** Longer than a standby takes that is only slow; a commit that waits for one that is gone would wait for ever. */
const CONFIRM_MS = 15_000;

/**
 * Work whose commits a standby must have too, where there is one. Should it have gone, the server is not waited for
 * for ever, and what was done is not taken for done: the caller does it again.
 */
export async function confirmed<T>(
  home: string,
  work: (session: Session) => Promise<T>,
  { withinMs = CONFIRM_MS }: { withinMs?: number } = {},
): Promise<T> {
  await using session = await connectAsPlatform(home);
  let givenUp: Promise<string> | undefined;
  const timer = setTimeout(() => {
    givenUp = giveUp(home, session);
  }, withinMs);
  try {
    return await work(session);
  } catch (error) {
    if (givenUp) throw new EngineRefused(await givenUp, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const LOOK_MS = 2000;

/** Says what it waited for. It must not go on once somebody else has done it again. */
async function giveUp(home: string, waiting: Session): Promise<string> {
  try {
    await using session = await connectAsPlatform(home, { timeoutMs: LOOK_MS });
    const timer = setTimeout(() => session.cut(), LOOK_MS);
    try {
      return await endWaiting(session, waiting.connection.threadId);
    } finally {
      clearTimeout(timer);
    }
  } catch {
    return 'The server of this database does not answer.';
  } finally {
    waiting.cut();
  }
}

async function endWaiting(session: Session, id: number): Promise<string> {
  const [[row]] = await session.connection.query<RowDataPacket[]>(
    `select @@global.rpl_semi_sync_master_enabled as hasStandby,
       exists (select 1 from information_schema.processlist where id = ? and state like '% lock%')
       or exists (select 1 from information_schema.innodb_trx where trx_mysql_thread_id = ? and trx_state = 'LOCK WAIT')
         as isLocked`,
    [id, id],
  );
  const [hasStandby, isLocked] = [Number(row?.['hasStandby']) === 1, Number(row?.['isLocked']) === 1];
  // To end the wait for a standby would let the commit count as done without it.
  if (hasStandby && !isLocked) return 'The standby of this database does not answer.';
  await kill(session, id);
  return isLocked ? 'Somebody holds a lock in this database.' : 'The server of this database takes too long.';
}
