import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from './engine.ts';

export interface Patience {
  timeoutMs: number;
  /** `PostgreSQL`: who is asked. */
  name: string;
}

/** What a server says, unless it takes too long. The signal is given when nobody waits any more, however it went. */
export async function withinTime<T>(
  { timeoutMs, name }: Patience,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const tooLate = delay(timeoutMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new EngineRefused(`${name} did not answer within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([ask(ended.signal), tooLate]);
  } finally {
    tooLate.catch(() => {});
    ended.abort();
  }
}
