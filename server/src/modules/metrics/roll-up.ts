import type { Store } from '../../db/pool.ts';
import { minuteOf, quarterOf } from '../../metrics/minute-row.ts';
import { listPendingQuarters, sumUpQuarter, takePending, writeQuarter } from './roll-up-store.ts';

/** What the last minute of a quarter had is written by then, as a rule; what comes later is summed up again. */
const SETTLED_MINUTES = 2;

/**
 * Sums up the quarters of an hour that are over: each in a transaction of its own, made from all of its minutes,
 * so that it may be done again at any time.
 */
export async function rollUp({ db }: Pick<Store, 'db'>, { nowMs, signal }: { nowMs: number; signal?: AbortSignal }) {
  const endedBy = quarterOf(minuteOf(nowMs) - SETTLED_MINUTES);
  for (const quarter of await listPendingQuarters(db, endedBy)) {
    signal?.throwIfAborted();
    await db.transaction().execute(async (tx) => {
      if (!(await takePending(tx, quarter))) return;
      const sums = await sumUpQuarter(tx, quarter);
      if (sums.length > 0) await writeQuarter(tx, quarter, sums);
    });
  }
}
