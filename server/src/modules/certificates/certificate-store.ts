import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { CertificateRow, CertificatesTable } from '../../db/schema.ts';

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

export async function findCertificate(db: Db | Tx, id: string): Promise<CertificateRow | null> {
  const found = await db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst();
  return found ?? null;
}

export async function lockCertificate(tx: Tx, id: string): Promise<CertificateRow | null> {
  const found = await tx.selectFrom('certificates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return found ?? null;
}

export type CertificateColumns = Omit<Updateable<CertificatesTable>, 'id' | 'hostname' | 'domain_id' | 'version'>;

/** False: it is gone. */
export async function updateCertificate(tx: Tx, id: string, columns: CertificateColumns): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('certificates')
    // What only whoever runs the platform may read belongs to the error it came with.
    .set({ ...('error' in columns && { operator_error: null }), ...columns, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * The certificate of a domain with which something is amiss that can be tried again now, or whose renewal is due and
 * was not begun. It is due, and what went wrong so far is forgotten; not how often anything was ordered.
 */
export async function takeForRetry(tx: Tx, domainId: string, now: Date): Promise<string | null> {
  const taken = await tx
    .updateTable('certificates')
    .set({
      next_try_at: null,
      tries: 0,
      unreached: 0,
      error: null,
      operator_error: null,
      skips_pace: sql`chain is not null`,
      status: sql`case when chain is null then 'provisioning' else status end`,
    })
    .where('domain_id', '=', domainId)
    .where(sql<boolean>`(error is not null or renew_at <= ${now})`)
    .where(sql<boolean>`coalesce(greatest(limited_until, waits_until) <= ${now}, true)`)
    .returning('id')
    .executeTakeFirst();
  return taken?.id ?? null;
}

/** Whom a certificate is for; null: the platform itself. */
export interface Holder {
  organisationId: string;
  applicationId: string;
  environmentId: string;
  hostname: string;
}

export async function findHolder(db: Db | Tx, certificateId: string): Promise<Holder | null> {
  const found = await db
    .selectFrom('certificates as c')
    .innerJoin('domains as d', 'd.id', 'c.domain_id')
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .select([
      'd.organisation_id as organisationId',
      'e.application_id as applicationId',
      'd.environment_id as environmentId',
      'd.hostname',
    ])
    .where('c.id', '=', certificateId)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Whether an authority that asks at the name asks this platform, by the last look. For a wildcard it asks the DNS
 * alone, and for the platform's own hosts nobody has looked.
 */
export async function isAskedHere(db: Db | Tx, { hostname, domain_id }: CertificateRow): Promise<boolean> {
  if (domain_id === null || hostname.startsWith('*.')) return true;
  const found = await db.selectFrom('domains').select('is_reached').where('id', '=', domain_id).executeTakeFirst();
  return found?.is_reached ?? false;
}

/** How many wait for a limit of the authority's. First certificates do not wait for renewals. */
export async function countLimited(db: Db | Tx, { isFirst, now }: { isFirst: boolean; now: Date }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from certificates
    where limited_until is not null and next_try_at > ${now} and kept_for is null
      and (chain is null or not ${isFirst})`.execute(db);
  return rows[0]!.count;
}

/** What waits for a limit of the authority's is due; how many did. What it says of itself stays until it is asked. */
export async function forgetLimits(tx: Tx, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('certificates')
    .set({ limited_until: null, next_try_at: null })
    .where('limited_until', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Those of the platform's own hosts that are none any more. */
export async function deleteOtherPlatformCertificates(db: Db, hostnames: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('certificates')
    .where('domain_id', 'is', null)
    .where('kept_for', 'is', null)
    .where(sql<boolean>`not hostname = any(${hostnames}::text[])`)
    .returning('hostname')
    .execute();
  return rows.map(({ hostname }) => hostname);
}

export async function listPlatformHostnames(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('certificates')
    .select('hostname')
    .where('domain_id', 'is', null)
    .where('kept_for', 'is', null)
    .execute();
  return rows.map(({ hostname }) => hostname);
}

/** Everything but keys and chains of those in use, for whoever runs the platform. */
export interface CertificateFacts {
  id: string;
  hostname: string;
  status: CertificateRow['status'];
  issuer: string | null;
  serial: string | null;
  notBefore: Date | null;
  notAfter: Date | null;
  renewAt: Date | null;
  isRevoked: boolean;
  nextTryAt: Date | null;
  error: string | null;
  /** Null: it is the platform's own. */
  organisation: string | null;
}

export function listCertificates(db: Db): Promise<CertificateFacts[]> {
  return db
    .selectFrom('certificates as c')
    .leftJoin('domains as d', 'd.id', 'c.domain_id')
    .leftJoin('organisations as o', 'o.id', 'd.organisation_id')
    .select([
      'c.id',
      'c.hostname',
      'c.status',
      'c.issuer',
      'c.serial',
      'c.not_before as notBefore',
      'c.not_after as notAfter',
      'c.renew_at as renewAt',
      'c.is_revoked as isRevoked',
      'c.next_try_at as nextTryAt',
      // All of it: nobody else reads this.
      sql<string | null>`coalesce(c.operator_error, c.error)`.as('error'),
      'o.name as organisation',
    ])
    .where('c.kept_for', 'is', null)
    .orderBy('c.hostname')
    .execute();
}

export async function findCertificateAt(db: Db, hostname: string): Promise<CertificateRow | null> {
  const found = await db.selectFrom('certificates').selectAll().where('hostname', '=', hostname).executeTakeFirst();
  return found ?? null;
}
