import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';

/** More at once would not be ordered any sooner. */
const AT_ONCE = 200;

/**
 * Those to be ordered or renewed, whose time has come; those that have waited longest first. Of renewals that can wait
 * only so many, and those that end first. Of those whose name leads elsewhere only such as do not say so yet.
 */
export async function listDueOrders(db: Db, { now, renewals }: { now: Date; renewals: number }): Promise<string[]> {
  // As isUrgent has it.
  const { rows } = await sql<{ id: string }>`
    with due as (
      select c.id, c.not_after, coalesce(c.next_try_at, c.renew_at, c.created_at) as since,
        c.chain is null or c.skips_budget or c.skips_pace or c.is_revoked or c.order_url is not null
          or c.not_after - ${now}::timestamptz < (c.not_after - c.not_before) / 6 as is_pressing
      from certificates c left join domains d on d.id = c.domain_id
      where (c.chain is null or c.renew_at <= ${now}) and c.kept_for is null
        and coalesce(greatest(c.next_try_at, c.limited_until, c.waits_until) <= ${now}, true)
        and (d.id is null or d.is_reached or c.hostname like '*.%' or c.error is null)
    )
    (select id from due where is_pressing order by since, id limit ${AT_ONCE})
    union all
    (select id from due where not is_pressing order by not_after, id limit ${Math.min(renewals, AT_ONCE)})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those whose authority should be asked again whether they are good. */
export async function listDueOcsp(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('certificates')
    .select('id')
    .where('chain', 'is not', null)
    .where('kept_for', 'is', null)
    .where('ocsp_renew_at', '<=', now)
    .orderBy('ocsp_renew_at')
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

export type ShownCertificate = CertificateRow & { not_before: Date; not_after: Date };

/** Those that are past their time to be renewed, and of which nobody was told since, or not since they have ended. */
export function listOverdue(db: Db, { now, toldBefore }: { now: Date; toldBefore: Date }): Promise<ShownCertificate[]> {
  return db
    .selectFrom('certificates')
    .selectAll()
    .where('chain', 'is not', null)
    .where('kept_for', 'is', null)
    .where((where) => where.or([where('renew_at', '<', now), where('not_after', '<=', now)]))
    .where((where) =>
      where.or([
        where('warned_at', 'is', null),
        where('warned_at', '<', toldBefore),
        where.and([where('not_after', '<=', now), where('warned_at', '<', where.ref('not_after'))]),
      ]),
    )
    .orderBy('not_after')
    .limit(AT_ONCE)
    .execute() as Promise<ShownCertificate[]>;
}
