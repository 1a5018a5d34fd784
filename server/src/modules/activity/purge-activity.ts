import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { deleteActivityBefore, deleteActivityBeyond, listBusyEnvironments } from './activity-store.ts';

const KEPT_DAYS = 90;
const KEPT_PER_ENVIRONMENT = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Forgets what is old, and of an environment that changes all the time everything but the newest. */
export async function purgeActivity({ db }: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  await deleteActivityBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS));
  for (const environmentId of await listBusyEnvironments(db, KEPT_PER_ENVIRONMENT)) {
    await deleteActivityBeyond(db, environmentId, KEPT_PER_ENVIRONMENT);
  }
}
