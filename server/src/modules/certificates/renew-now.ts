import type { CertificateAuthority } from '../../certificates/certificate-authority.ts';
import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { Store, Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import { updateCertificate } from './certificate-store.ts';
import { enqueueOrder } from './job-kinds.ts';

/** Another takes its place as soon as a worker has got it; only the authority's own limit is waited for. */
export async function renewNow(tx: Tx, { id }: CertificateRow, now: Date): Promise<void> {
  await updateCertificate(tx, id, { renew_at: now, next_try_at: null, tries: 0, unreached: 0, error: null });
  await enqueueOrder(tx, id);
}

/** Its key is in wrong hands: nobody is to believe it any more. Another takes its place. */
export async function revokeNow(
  { store, authority }: { store: Pick<Store, 'db'>; authority: CertificateAuthority },
  certificate: CertificateRow & { chain: string },
  now: Date,
): Promise<void> {
  await authority.revoke(certificate.chain);
  await store.db.transaction().execute(async (tx) => {
    await updateCertificate(tx, certificate.id, { is_revoked: true, status: 'renewing', ocsp: null });
    await renewNow(tx, certificate, now);
    await announceCertificate(tx, certificate.id);
  });
}
