import { endPause } from '../../certificates/acme/acme-account-store.ts';
import { CertificateUnknown, type CertificateAuthority } from '../../certificates/certificate-authority.ts';
import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { Store, Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import { forgetLimits, updateCertificate } from './certificate-store.ts';
import { ofRevoked } from './certificate.ts';
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
const isLimited = ({ limited_until: until }: Pick<CertificateRow, 'limited_until'>, now: Date): boolean =>
  until !== null && until > now;

export interface Revocation {
  /** Why the authority has not declared it void, which was insisted on; null: it has. */
  refusal: string | null;
}

/**
 * Its key is in wrong hands: nobody is to believe it any more. Another takes its place. `isForced`: also where the
 * authority does not know it; whatever else it refuses for is to be tried again.
 */
export async function revokeNow(
  { store, authority }: { store: Pick<Store, 'db'>; authority: Pick<CertificateAuthority, 'revoke'> },
  certificate: CertificateRow & { chain: string },
  { now, isForced = false }: { now: Date; isForced?: boolean },
): Promise<Revocation> {
  let refusal: string | null = null;
  await authority.revoke(certificate.chain).catch((error: unknown) => {
    if (!(isForced && error instanceof CertificateUnknown)) throw error;
    refusal = error.message;
  });
  await store.db.transaction().execute(async (tx) => {
    await updateCertificate(tx, certificate.id, { is_revoked: true, status: 'renewing', ocsp: null });
    // One that is only kept is given to nobody any more; nothing is to take its place.
    if (certificate.kept_for === null) await replaceRevoked(tx, certificate, now);
    await announceCertificate(tx, certificate.id);
  });
  return { refusal };
}

/** Who owns the name is told where that takes longer than a moment. */
async function replaceRevoked(tx: Tx, certificate: CertificateRow, now: Date): Promise<void> {
  await renewNow(tx, certificate, now);
  if (!isLimited(certificate, now)) return;
  const { error, operator_error, is_revoked: isToldAlready } = certificate;
  const told = (text: string) => (isToldAlready ? text : `${ofRevoked({ is_revoked: true })}${text}`).trim();
  await updateCertificate(tx, certificate.id, {
    status: 'failed',
    error: told(error ?? ''),
    operator_error: operator_error === null ? null : told(operator_error),
  });
}

/** Whatever waits for a limit of the authority's is ordered again now. How many did. */
export async function resumeOrders(tx: Tx, directoryUrl: string, now: Date): Promise<number> {
  await endPause(tx, directoryUrl);
  return forgetLimits(tx, now);
}
