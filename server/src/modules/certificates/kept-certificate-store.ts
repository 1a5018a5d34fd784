import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';

/** The one that the domain's organisation had for this name is in use again; null: there is none that would do. */
export async function takeBackKept(
  tx: Tx,
  { hostname, domainId }: { hostname: string; domainId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update certificates set
      domain_id = ${domainId}, kept_for = null, updated_at = now(),
      -- The authority's word may have grown old meanwhile.
      ocsp = null, ocsp_renew_at = case when ocsp_renew_at is not null then now() end
    where hostname = ${hostname} and kept_for = (select organisation_id from domains where id = ${domainId}::text)
      and not is_revoked and not_after > now()
    returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** The name is somebody else's now, or what was kept is of no use any more. False: there was none. */
export async function dropKept(tx: Tx, hostname: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('certificates')
    .where('hostname', '=', hostname)
    .where('kept_for', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function dropEndedKept(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('certificates').where('kept_for', 'is not', null).where('not_after', '<=', now).execute();
}

/** One whose domain was taken away, for whoever runs the platform. */
export interface KeptCertificate {
  hostname: string;
  organisation: string;
  issuer: string | null;
  notAfter: Date | null;
  isRevoked: boolean;
}

export function listKept(db: Db): Promise<KeptCertificate[]> {
  return db
    .selectFrom('certificates as c')
    .innerJoin('organisations as o', 'o.id', 'c.kept_for')
    .select([
      'c.hostname',
      'o.name as organisation',
      'c.issuer',
      'c.not_after as notAfter',
      'c.is_revoked as isRevoked',
    ])
    .orderBy('c.hostname')
    .execute();
}
