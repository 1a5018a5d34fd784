import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';

export interface NewOrder {
  orderUrl: string;
  /** Null: for the platform itself. */
  organisationId: string | null;
  domain: string;
  isRenewal: boolean;
  orderedAt: Date;
}

export async function recordOrder(tx: Tx, order: NewOrder): Promise<void> {
  await tx
    .insertInto('certificate_orders')
    .values({
      order_url: order.orderUrl,
      organisation_id: order.organisationId,
      domain: order.domain,
      is_renewal: order.isRenewal,
      ordered_at: order.orderedAt,
    })
    .onConflict((conflict) => conflict.column('order_url').doNothing())
    .execute();
}

/** Whose orders: those of one organisation or for one domain, renewals left out; or all there were. */
export type Counted = { organisationId: string } | { domain: string } | 'all';

/** When the order was made that, counted back from the newest, is the last of so many. Null: there were fewer. */
export async function findNthOrder(
  db: Db,
  counted: Counted,
  { most, since }: { most: number; since: Date },
): Promise<Date | null> {
  const found = await db
    .selectFrom('certificate_orders')
    .select('ordered_at')
    .where('ordered_at', '>', since)
    .$if(counted !== 'all', (query) => query.where('is_renewal', '=', false))
    .$if(counted !== 'all' && 'organisationId' in counted, (query) =>
      query.where('organisation_id', '=', (counted as { organisationId: string }).organisationId),
    )
    .$if(counted !== 'all' && 'domain' in counted, (query) =>
      query.where('domain', '=', (counted as { domain: string }).domain),
    )
    .orderBy('ordered_at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return found?.ordered_at ?? null;
}

export async function forgetOrders(db: Db, before: Date): Promise<void> {
  await sql`delete from certificate_orders where ordered_at < ${before}`.execute(db);
}
