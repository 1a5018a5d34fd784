import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import { KEPT_DAYS, KEPT_ERRORS } from './platform-error.ts';
import { deletePlatformErrorsBefore, deletePlatformErrorsBeyond } from './platform-error-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function purgeErrors({ db }: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  await deletePlatformErrorsBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS));
  await deletePlatformErrorsBeyond(db, KEPT_ERRORS);
}
