import { AuthorityRefused, type CertificateAuthority } from '../../certificates/certificate-authority.ts';
import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { Store, Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import { updateCertificate } from './certificate-store.ts';
import { enqueueOrder } from './job-kinds.ts';

/**
 * Another takes its place as soon as a worker has got it, whatever the platform's own budget says; only the authority's
 * limit is waited for, and its error goes on telling of it.
 */
export async function renewNow(tx: Tx, certificate: CertificateRow, now: Date): Promise<void> {
  const { id, chain } = certificate;
  const due = { renew_at: now, next_try_at: null, tries: 0, unreached: 0, waits_until: null, skips_budget: true };
  const fresh = { error: null, ...(chain === null && { status: 'provisioning' as const }) };
  await updateCertificate(tx, id, isLimited(certificate, now) ? due : { ...due, ...fresh });
  await enqueueOrder(tx, id);
}

/** The authority has said until when it is asked in vain. */
export const isLimited = ({ limited_until: until }: Pick<CertificateRow, 'limited_until'>, now: Date): boolean =>
  until !== null && until > now;

/**
 * Its key is in wrong hands: nobody is to believe it any more. Another takes its place. `isForced`: also where the
 * authority refuses, such as one that does not know it.
 */
export async function revokeNow(
  { store, authority }: { store: Pick<Store, 'db'>; authority: Pick<CertificateAuthority, 'revoke'> },
  certificate: CertificateRow & { chain: string },
  { now, isForced = false }: { now: Date; isForced?: boolean },
): Promise<void> {
  await authority.revoke(certificate.chain).catch((error: unknown) => {
    if (!(isForced && error instanceof AuthorityRefused)) throw error;
  });
  await store.db.transaction().execute(async (tx) => {
    // One that is only kept is given to nobody any more; nothing is to take its place.
    const isKept = certificate.kept_for !== null;
    await updateCertificate(tx, certificate.id, { is_revoked: true, status: 'renewing', ocsp: null });
    if (!isKept) await renewNow(tx, certificate, now);
    await announceCertificate(tx, certificate.id);
  });
}
