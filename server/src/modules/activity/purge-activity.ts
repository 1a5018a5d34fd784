import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  deleteActivityBefore,
  deleteActivityBeyond,
  listBusyEnvironments,
  listBusyOrganisations,
} from './activity-store.ts';

const KEPT_DAYS = 90;
const KEPT_PER_ENVIRONMENT = 1000;
/** Who was let in and what keys there were is looked for longer than who deployed what. */
const KEPT_PER_ORGANISATION = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Forgets what is old, and where something changes all the time everything but the newest. */
export async function purgeActivity({ db }: Pick<Store, 'db'>, clock: Clock): Promise<void> {
  await deleteActivityBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS));
  for (const environment of await listBusyEnvironments(db, KEPT_PER_ENVIRONMENT)) {
    await deleteActivityBeyond(db, environment, KEPT_PER_ENVIRONMENT);
  }
  for (const organisation of await listBusyOrganisations(db, KEPT_PER_ORGANISATION)) {
    await deleteActivityBeyond(db, organisation, KEPT_PER_ORGANISATION);
  }
}
