import type { CertificateRow } from '../../db/schema.ts';
import type { JobContext } from '../../jobs/job.ts';
import { updateCertificate, type Holder } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { inJob } from './in-job.ts';
import { enqueueOrder } from './job-kinds.ts';
import { findWait } from './order-budget.ts';
import { registeredDomainOf } from './registered-domain.ts';

/**
 * A first certificate waits where too many were ordered of late; then the job comes again by itself. What it says why,
 * or null: it need not wait. Neither what is renewed nor an order that was begun is held back.
 */
export async function putOffOrder(
  deps: CertificatesDeps,
  { row, holder }: { row: CertificateRow; holder: Holder | null },
  context: JobContext,
): Promise<string | null> {
  if (holder === null || row.chain !== null || row.order_url !== null) return null;
  const now = deps.clock.now();
  const domain = registeredDomainOf(row.hostname);
  const wait = await findWait(deps.store.db, { organisationId: holder.organisationId, domain, now });
  if (!wait) return null;
  const { until, message } = wait;
  return inJob(deps, context, async (tx) => {
    const columns = { status: 'provisioning', error: message, next_try_at: until, limited_until: until } as const;
    if (!(await updateCertificate(tx, row.id, columns))) return 'It is gone.';
    await enqueueOrder(tx, row.id, { delayMs: until.getTime() - now.getTime() });
    return message;
  });
}
