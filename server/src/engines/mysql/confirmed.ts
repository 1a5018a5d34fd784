import { EngineRefused } from '../engine.ts';
import { connectAsPlatform, type Session } from './connect.ts';

/** Longer than a standby takes that is only slow; a commit that waits for one that is gone would wait for ever. */
const CONFIRM_MS = 15_000;

/**
 * Work whose commits a standby must have too, where there is one. Should it have gone, the server is not waited for
 * for ever, and what was done is not taken for done: the caller does it again.
 */
export async function confirmed<T>(home: string, work: (session: Session) => Promise<T>): Promise<T> {
  await using session = await connectAsPlatform(home);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    session.cut();
  }, CONFIRM_MS);
  try {
    return await work(session);
  } catch (error) {
    if (isLate) throw new EngineRefused('The standby of this database does not answer.', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
