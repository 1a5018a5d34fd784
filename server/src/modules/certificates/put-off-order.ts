import type { CertificateRow } from '../../db/schema.ts';
import type { JobContext } from '../../jobs/job.ts';
import { isAskedHere, updateCertificate, type CertificateColumns, type Holder } from './certificate-store.ts';
import { isUrgent, ofRevoked, urgentFrom } from './certificate.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { inJob } from './in-job.ts';
import { enqueueOrder } from './job-kinds.ts';
import { findWait, type PlannedKind } from './order-budget.ts';

/**
 * An order waits while its name leads elsewhere, and where too many were made of late; then it comes again by itself.
 * What it says why, or null: it need not wait. No budget holds an order back that was begun, or that whoever runs the
 * platform wishes.
 */
export async function putOffOrder(
  deps: CertificatesDeps,
  { row, holder }: { row: CertificateRow; holder: Holder | null },
  context: JobContext,
): Promise<string | null> {
  const { db } = deps.store;
  const { hostname } = row;
  if (!(await isAskedHere(db, row))) return putOff(deps, { row, columns: { error: notHere(hostname) } }, context);
  if (row.skips_budget || row.order_url !== null) return null;
  const now = deps.clock.now();
  const organisationId = holder?.organisationId ?? null;
  const wait = await findWait(db, { hostname, organisationId, kind: kindOf(deps, row, now), now });
  if (!wait) return null;
  const { until, message, isPace } = wait;
  // The watch has it ordered as soon as there is room, or when it cannot wait any longer.
  if (isPace) return putOff(deps, { row, columns: { error: message } }, context);
  const columns = { error: message, next_try_at: until, waits_until: until };
  return putOff(deps, { row, columns, delayMs: until.getTime() - now.getTime() }, context);
}

function kindOf({ config }: CertificatesDeps, row: CertificateRow, now: Date): PlannedKind {
  if (row.chain === null) return 'first';
  if (isUrgent(row, now)) return 'urgent';
  return {
    isWanted: row.skips_pace,
    mostRenewals: config.acme.renewals,
    urgentAt: urgentFrom(row),
    goodUntil: row.not_after!,
  };
}

/** Without a delay, whoever sees that the name leads here has it ordered. */
function putOff(
  deps: CertificatesDeps,
  { row, columns, delayMs }: { row: CertificateRow; columns: CertificateColumns & { error: string }; delayMs?: number },
  context: JobContext,
): Promise<string> {
  const error = `${ofRevoked(row)}${columns.error}`;
  const standing = row.is_revoked ? { status: 'failed' as const } : {};
  return inJob(deps, context, async (tx) => {
    if (!(await updateCertificate(tx, row.id, { ...columns, ...standing, error }))) return 'It is gone.';
    if (delayMs !== undefined) await enqueueOrder(tx, row.id, { delayMs });
    return error;
  });
}

const notHere = (hostname: string): string =>
  `${hostname} does not lead to this platform, so no certificate is ordered for it. That happens by itself once its ` +
  'records lead here again.';
