import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';

/** Edges listen here; the payload is the newest version. A wake-up only: the truth is in the table. */
export const CERTIFICATES_CHANNEL = 'lilac_certificates';

/** Any number of ours; one lock for whoever announces certificates. */
const CERTIFICATES_LOCK = 0x63657274;
/** Read at once. */
const PAGE = 200;

/** A certificate as edges show it. */
export interface ServedCertificate {
  id: string;
  /** As in the store's `domains`: lower case, may begin with '*.'. */
  hostname: string;
  /** PEM, the own certificate first. */
  chain: string;
  /** Sealed PEM. */
  sealedKey: string;
  notAfter: Date;
  ocsp: Buffer | null;
  version: number;
}

/** There is none for the name any more, or not yet. */
export type WithdrawnCertificate = Pick<ServedCertificate, 'id' | 'hostname' | 'version'> & { chain: null };

/**
 * Edges show the certificate from now on, or what has changed in it: its chain, its key, the word of its authority.
 * Call it last in a transaction: from here to the commit others wait, so that versions become visible in their order.
 */
export async function announceCertificate(tx: Tx, id: string): Promise<void> {
  await sql`
    with turn as materialized (select pg_advisory_xact_lock(${CERTIFICATES_LOCK})),
    raised as (
      update certificates set version = nextval('certificate_versions') from turn where id = ${id} returning version
    )
    select pg_notify(${CERTIFICATES_CHANNEL}, version::text) from raised`.execute(tx);
}

/** What was announced after the given version, in its order, as many as are read at once; none: that is all. */
export async function readServedCertificates(
  db: Db,
  afterVersion: number,
): Promise<(ServedCertificate | WithdrawnCertificate)[]> {
  const rows = await db
    .selectFrom('certificates')
    .select(['id', 'hostname', 'chain', 'private_key', 'not_after', 'ocsp', 'version', 'kept_for'])
    .where('version', '>', String(afterVersion))
    .orderBy('version')
    .limit(PAGE)
    .execute();
  return rows.map(({ id, hostname, chain, private_key: sealedKey, not_after: notAfter, ocsp, version, kept_for }) => {
    const isInUse = kept_for === null;
    const names = { id, hostname, version: Number(version) };
    return isInUse && chain !== null && sealedKey !== null && notAfter !== null
      ? { ...names, chain, sealedKey, notAfter, ocsp }
      : { ...names, chain: null };
  });
}
