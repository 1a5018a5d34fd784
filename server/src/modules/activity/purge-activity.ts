import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { deleteActivityBefore, deleteActivityBeyond, listBusyActions } from './activity-store.ts';

const KEPT_DAYS = 90;
/**
 * Of each action: whoever does one thing again and again does not make another one vanish. Who was let in and what
 * keys there were is looked for longer than who deployed what.
 */
const MOST = { perEnvironment: 1000, perOrganisation: 10_000 };
const DAY_MS = 24 * 60 * 60 * 1000;

/** Forgets what is old, and of what is done all the time everything but the newest. */
export async function purgeActivity({ db }: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  await deleteActivityBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS));
  for (const busy of await listBusyActions(db, MOST)) {
    await deleteActivityBeyond(db, busy, busy.environmentId === null ? MOST.perOrganisation : MOST.perEnvironment);
  }
}
