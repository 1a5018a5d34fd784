import { AuthorityRefused, AuthorityUnavailable } from '../../certificates/certificate-authority.ts';
import { newPrivateKey } from '../../certificates/new-private-key.ts';
import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import type { JobContext } from '../../jobs/job.ts';
import type { SealedPlace } from '../../secrets/keyring.ts';
import { isDue, readIssued, renewTime, type Issued } from './certificate.ts';
import { findCertificate, findHolder, updateCertificate, type Holder } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { failOrder } from './fail-order.ts';
import { inJob } from './in-job.ts';
import { enqueueOcsp, enqueueOrder, type OfCertificate } from './job-kinds.ts';
import { recordOrder, settleOrder } from './order-budget-store.ts';
import { putOffOrder } from './put-off-order.ts';
import { registeredDomainOf } from '../../lib/registered-domain.ts';
import { tellHolder } from './tell-holder.ts';

const NO_AUTHORITY =
  'No certificate authority is set up (LILAC_ACME_DIRECTORY is off), so there is no certificate. Whoever runs this ' +
  'platform has to name one.';
/** Sooner than this the watch would be too coarse. */
const SOON_MS = 10 * 60_000;

/** Gets a certificate where one is due; whoever comes after a crash goes on with the order that was begun. */
export async function orderCertificate(
  deps: CertificatesDeps,
  { certificateId }: OfCertificate,
  context: JobContext,
): Promise<string> {
  const { store, authority, clock, config } = deps;
  // A proxy in front does https; nobody would ever be shown what is ordered here.
  if (config.tls.port === null) return 'No https is served here.';
  const row = await findCertificate(store.db, certificateId);
  if (!row) return 'It is gone.';
  if (row.kept_for !== null) return 'Its domain was taken away.';
  if (!isDue(row, clock.now())) return 'It is not due.';
  const holder = await findHolder(store.db, certificateId);
  if (!authority) return failOrder(deps, { row, holder, orderUrl: null }, context, new AuthorityRefused(NO_AUTHORITY));
  const putOff = await putOffOrder(deps, { row, holder }, context);
  if (putOff !== null) return putOff;
  const privateKey = await begin(deps, row, context);
  if (privateKey === null) return 'It is gone.';
  const answers = deps.openAnswers(context.signal);
  let orderUrl = row.order_url;
  try {
    const chain = await authority.issue({
      hostnames: [row.hostname],
      privateKey,
      answers,
      orderUrl,
      onOrder: (url) => {
        orderUrl = url;
        return count(deps, { row, holder, url }, context);
      },
      signal: context.signal,
    });
    const issued = readIssued(chain, { hostname: row.hostname, privateKey });
    // The same order would bring the same again.
    if (!issued) throw new AuthorityRefused('The certificate authority sent something other than what was ordered.');
    return await finish(deps, row, context, { chain, privateKey, issued, orderUrl });
  } catch (error) {
    const isWord = error instanceof AuthorityRefused || error instanceof AuthorityUnavailable;
    if (!isWord || context.signal.aborted) throw error;
    return await failOrder(deps, { row, holder, orderUrl }, context, error);
  } finally {
    await answers.cleanUp();
  }
}

const note = (tx: Tx, { id }: CertificateRow, columns: Parameters<typeof updateCertificate>[2]) =>
  updateCertificate(tx, id, columns);

/** Once it is known at the authority, it counts there as well. */
function count(
  deps: CertificatesDeps,
  { row, holder, url }: { row: CertificateRow; holder: Holder | null; url: string },
  context: JobContext,
): Promise<void> {
  return inJob(deps, context, async (tx) => {
    await note(tx, row, { order_url: url });
    // The one that was begun before could not be gone on with.
    if (row.order_url !== null && row.order_url !== url) await settleOrder(tx, row.order_url, 'failed');
    await recordOrder(tx, {
      orderUrl: url,
      hostname: row.hostname,
      organisationId: holder?.organisationId ?? null,
      domain: registeredDomainOf(row.hostname),
      isRenewal: row.chain !== null,
      orderedAt: deps.clock.now(),
    });
  });
}

/** The key is kept before anything is ordered for it. Null when the certificate is gone. */
async function begin(deps: CertificatesDeps, row: CertificateRow, context: JobContext): Promise<string | null> {
  const { keyring } = deps;
  const place = placeOf(row.id, 'order_key');
  const begun = row.order_key === null ? null : keyring.open(row.order_key, place);
  const privateKey = begun ?? newPrivateKey();
  const columns = {
    ...(row.chain !== null && { status: 'renewing' as const }),
    ...(begun === null && { order_key: keyring.seal(privateKey, place), order_url: null }),
  };
  const isThere = await inJob(deps, context, (tx) => note(tx, row, columns));
  return isThere ? privateKey : null;
}

const placeOf = (row: string, column: 'private_key' | 'order_key'): SealedPlace => ({
  table: 'certificates',
  column,
  row,
});

/** Nothing of what went wrong before matters any more. */
const OVER = {
  order_url: null,
  order_key: null,
  tries: 0,
  unreached: 0,
  next_try_at: null,
  limited_until: null,
  waits_until: null,
  skips_budget: false,
  skips_pace: false,
  error: null,
  warned_at: null,
} as const;

async function finish(
  deps: CertificatesDeps,
  row: CertificateRow,
  context: JobContext,
  {
    chain,
    privateKey,
    issued,
    orderUrl,
  }: { chain: string; privateKey: string; issued: Issued; orderUrl: string | null },
): Promise<string> {
  const { keyring, clock, log } = deps;
  const renewAt = renewTime(issued, row.id, clock.now());
  const renewsInMs = renewAt.getTime() - clock.now().getTime();
  const message = `The certificate for ${row.hostname} was ${row.chain === null ? 'issued' : 'renewed'} by ${issued.issuer}.`;
  return inJob(deps, context, async (tx) => {
    if (orderUrl !== null) await settleOrder(tx, orderUrl, 'issued');
    await tellHolder(tx, { certificateId: row.id, log }, { action: 'certificate_issued', severity: 'INFO', message });
    const isThere = await note(tx, row, {
      status: 'issued',
      chain,
      private_key: keyring.seal(privateKey, placeOf(row.id, 'private_key')),
      issuer: issued.issuer,
      serial: issued.serial,
      not_before: issued.notBefore,
      not_after: issued.notAfter,
      renew_at: renewAt,
      is_revoked: false,
      ocsp: null,
      ocsp_renew_at: issued.hasResponder ? clock.now() : null,
      ...OVER,
    });
    if (!isThere) return 'It is gone.';
    if (issued.hasResponder) await enqueueOcsp(tx, row.id);
    if (renewsInMs < SOON_MS) await enqueueOrder(tx, row.id, { delayMs: Math.max(0, renewsInMs) });
    await announceCertificate(tx, row.id);
    return message;
  });
}
