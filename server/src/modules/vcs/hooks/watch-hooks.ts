import type { VcsDeps } from '../vcs-deps.ts';
import { listWantingPushes } from './hook-store.ts';
import { enqueueHooks } from './job-kinds.ts';

export const WATCH_MS = 24 * 60 * 60_000;

/**
 * Hosts do not tell of a webhook that somebody has removed there, nor of every right that was taken back: what waits
 * for pushes is looked at once a day. Spread over the day, so that no host is asked for all of it at once.
 */
export async function watchHooks({ store: { db } }: Pick<VcsDeps, 'store'>, random = Math.random): Promise<void> {
  for (const applicationId of await listWantingPushes(db)) {
    const delayMs = random() * WATCH_MS;
    await db.transaction().execute((tx) => enqueueHooks(tx, { applicationId }, { delayMs }));
  }
}
