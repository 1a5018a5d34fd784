import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import { registeredDomainOf } from '../../lib/registered-domain.ts';

export interface NewOrder {
  orderUrl: string;
  hostname: string;
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
      hostname: order.hostname,
      organisation_id: order.organisationId,
      domain: order.domain,
      is_renewal: order.isRenewal,
      ordered_at: order.orderedAt,
    })
    .onConflict((conflict) => conflict.column('order_url').doNothing())
    .execute();
}

/** What came of it. */
export async function settleOrder(tx: Tx, orderUrl: string, state: 'issued' | 'failed'): Promise<void> {
  await tx.updateTable('certificate_orders').set({ state }).where('order_url', '=', orderUrl).execute();
}

/**
 * Which orders: the first ones of an organisation, or of all; renewals, likewise; first certificates that were issued
 * for a name, or for those of a domain; or orders for a name or of an organisation that came to nothing. One whose end
 * nobody has heard has not.
 */
export type Counted =
  | 'first'
  | 'renewals'
  | { firstOf: string }
  | { renewalsOf: string }
  | { firstIssuedFor: string }
  | { issuedFor: string }
  | { inVainFor: string }
  | { inVainOf: string };

/** When the order was made that, counted back from the newest, is the last of so many. Null: there were fewer. */
export async function findNthOrder(
  db: Db | Tx,
  counted: Counted,
  { most, since }: { most: number; since: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ ordered_at: Date }>`
    select ordered_at from certificate_orders where ordered_at > ${since} and ${conditionOf(counted)}
    order by ordered_at desc offset ${most - 1} limit 1`.execute(db);
  return rows[0]?.ordered_at ?? null;
}

function conditionOf(counted: Counted): RawBuilder<unknown> {
  if (counted === 'first') return sql`not is_renewal`;
  if (counted === 'renewals') return sql`is_renewal`;
  if ('firstOf' in counted) return sql`organisation_id = ${counted.firstOf} and not is_renewal`;
  if ('renewalsOf' in counted) return sql`organisation_id = ${counted.renewalsOf} and is_renewal`;
  if ('firstIssuedFor' in counted) {
    const name = counted.firstIssuedFor;
    // By its domain it is found without a walk through all of them.
    return sql`domain = ${registeredDomainOf(name)} and hostname = ${name} and state = 'issued' and not is_renewal`;
  }
  if ('issuedFor' in counted) return sql`domain = ${counted.issuedFor} and state = 'issued' and not is_renewal`;
  if ('inVainFor' in counted) return sql`hostname = ${counted.inVainFor} and state = 'failed'`;
  return sql`organisation_id = ${counted.inVainOf} and state = 'failed'`;
}

export async function countRenewals(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from certificate_orders where ordered_at > ${since} and is_renewal`.execute(db);
  return rows[0]!.count;
}

export async function forgetOrders(db: Db, before: Date): Promise<void> {
  await sql`delete from certificate_orders where ordered_at < ${before}`.execute(db);
}
