import type { GitProvider } from '@lilac/contract/states';
import type { Db, Tx } from '../../../db/pool.ts';
import type { HostEvent } from '../../../vcs/vcs-host.ts';

/** How deliveries are told apart. */
export interface DeliveryKey {
  provider: GitProvider;
  deliveryId: string;
}

export interface StoredDelivery {
  events: HostEvent[];
  receivedAt: Date;
}

/** False when it is there already: it is the same delivery again. */
export async function insertDelivery(
  tx: Tx,
  { provider, deliveryId, event, events }: DeliveryKey & { event: string; events: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('vcs_deliveries')
    .values({ provider, delivery_id: deliveryId, event, events })
    .onConflict((conflict) => conflict.columns(['provider', 'delivery_id']).doNothing())
    .returning('delivery_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findDelivery(db: Db | Tx, { provider, deliveryId }: DeliveryKey): Promise<StoredDelivery | null> {
  const found = await db
    .selectFrom('vcs_deliveries')
    .select(['events', 'received_at'])
    .where('provider', '=', provider)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
  return found ? { events: found.events as HostEvent[], receivedAt: found.received_at } : null;
}
