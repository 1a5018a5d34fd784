import { sql } from 'kysely';
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
  /** When the same was first received, under whatever id. */
  receivedAt: Date;
}

export interface NewDelivery extends DeliveryKey {
  event: string;
  events: string;
  /** Null where the same body may be sent twice, or proves nothing. */
  bodyHash: Buffer | null;
}

/** False when it is there already, by its id or on the first host by its body: it is the same delivery again. */
export async function insertDelivery(
  tx: Tx,
  { provider, deliveryId, event, events, bodyHash }: NewDelivery,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('vcs_deliveries')
    .values({
      provider,
      delivery_id: deliveryId,
      event,
      events,
      body_hash: bodyHash,
      first_received_at: sql`coalesce(
        (select min(first_received_at) from vcs_deliveries where provider = 'provider3' and body_hash = ${bodyHash}),
        now()
      )`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('delivery_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findDelivery(db: Db | Tx, { provider, deliveryId }: DeliveryKey): Promise<StoredDelivery | null> {
  const found = await db
    .selectFrom('vcs_deliveries')
    .select(['events', 'first_received_at'])
    .where('provider', '=', provider)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
  return found ? { events: found.events as HostEvent[], receivedAt: found.first_received_at } : null;
}
