import type { VcsDeps } from '../vcs-deps.ts';
import { deleteAttemptsExpiredBefore, deleteDeliveriesOlderThan } from './purge-store.ts';

/** So long the same delivery is known again. */
const DELIVERIES_DAYS = 14;
/** What became of an attempt can be seen for so long after it could have gone on. */
const ATTEMPTS_MS = 24 * 60 * 60_000;

/** Forgets what hosts have told, and the attempts at a connection, when nobody asks for them any more. */
export async function purge({ store: { db }, clock }: Pick<VcsDeps, 'store' | 'clock'>): Promise<void> {
  await deleteDeliveriesOlderThan(db, DELIVERIES_DAYS);
  await deleteAttemptsExpiredBefore(db, new Date(clock.now().getTime() - ATTEMPTS_MS));
}
