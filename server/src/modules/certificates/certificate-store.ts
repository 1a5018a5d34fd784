import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';

export interface NewCertificate {
  id: string;
  hostname: string;
  domainId: string | null;
}

/** False: there is one for this name. */
export async function insertCertificate(tx: Tx, { id, hostname, domainId }: NewCertificate): Promise<boolean> {
  const inserted = await tx
    .insertInto('certificates')
    .values({ id, hostname, domain_id: domainId })
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** How far the certificate of a domain is; null: none was asked for yet. */
export type DomainCertificate = Pick<
  CertificateRow,
  'status' | 'error' | 'not_after' | 'limited_until' | 'next_try_at'
>;

export async function certificateOf(db: Db | Tx, domainId: string): Promise<DomainCertificate | null> {
  const found = await db
    .selectFrom('certificates')
    .select(['status', 'error', 'not_after', 'limited_until', 'next_try_at'])
    .where('domain_id', '=', domainId)
    .executeTakeFirst();
  return found ?? null;
}

/** The certificate of a domain with which something is amiss that can be tried again now: it is due. */
export async function takeForRetry(tx: Tx, domainId: string): Promise<string | null> {
  const taken = await tx
    .updateTable('certificates')
    .set({ next_try_at: null })
    .where('domain_id', '=', domainId)
    .where('error', 'is not', null)
    .where(sql<boolean>`coalesce(limited_until <= now(), true)`)
    .returning('id')
    .executeTakeFirst();
  return taken?.id ?? null;
}
