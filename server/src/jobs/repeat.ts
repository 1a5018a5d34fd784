import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';

/** Does the work again and again, never twice at once. A failure is logged and does not end it. */
export async function repeat(
  { everyMs, until, log }: { everyMs: number; until: AbortSignal; log: Log },
  work: () => Promise<void>,
): Promise<void> {
  while (!until.aborted) {
    await work().catch((error: unknown) => log.warn({ err: error }, 'a periodic task of the worker failed'));
    await delay(everyMs, undefined, { signal: until }).catch(() => {});
  }
}
