import type { Tx } from '../../db/pool.ts';
import { takeForRetry } from './certificate-store.ts';
import { enqueueOrder } from './job-kinds.ts';

/**
 * Somebody wants it tried now, whatever it waits for: except for a limit of the authority's or of the platform's own,
 * which its error tells of then. Nothing happens where there is nothing amiss, or no certificate yet to be got.
 */
export async function retryCertificate(tx: Tx, domainId: string, now: Date): Promise<void> {
  const id = await takeForRetry(tx, domainId, now);
  if (id !== null) await enqueueOrder(tx, id);
}
