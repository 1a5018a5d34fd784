import { randomUUID } from 'node:crypto';
import { AuthorityRefused, type AuthorityUnavailable } from '../../certificates/certificate-authority.ts';
import { describeTime } from '../../certificates/describe-time.ts';
import type { Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import type { JobContext } from '../../jobs/job.ts';
import { backoffMs, patienceMs, shareOf, statusAfterFailure } from './certificate.ts';
import { lockCertificate, updateCertificate, type Holder } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { inJob } from './in-job.ts';
import { enqueueOrder } from './job-kinds.ts';
import { findWaitAfterFailure, type Planned } from './order-budget.ts';
import { recordOrder, settleOrder } from './order-budget-store.ts';
import { registeredDomainOf } from './registered-domain.ts';
import { tellHolder } from './tell-holder.ts';

/** What waited for the same moment does not come at once. */
const SPREAD_MS = 5 * 60_000;

/** An order that was refused is over; one that was cut off is gone on with. */
export async function failOrder(
  deps: CertificatesDeps,
  { row, holder, orderUrl }: { row: CertificateRow; holder: Holder | null; orderUrl: string | null },
  context: JobContext,
  error: AuthorityRefused | AuthorityUnavailable,
): Promise<string> {
  const now = deps.clock.now();
  const isRefused = error instanceof AuthorityRefused;
  const tries = row.tries + (isRefused ? 1 : 0);
  const unreached = isRefused ? 0 : row.unreached + 1;
  const status = statusAfterFailure(row, { tries: isRefused ? tries : unreached, isRefused, now });
  const tryAt = nextTry(row, { error, waitMs: isRefused ? backoffMs(tries) : patienceMs(unreached), now });
  const message = isRefused ? error.message : `${error.message} It is tried again ${describeTime(tryAt)}.`;
  tellOperator(deps, row, error);
  return inJob(deps, context, async (tx) => {
    if (status === 'failed' && row.status !== 'failed') await tellFailure(deps, tx, { row, message });
    const current = await lockCertificate(tx, row.id);
    const planned = { hostname: row.hostname, organisationId: holder?.organisationId ?? null, now };
    const isAsked = deps.authority !== null && error.retryAt === null;
    if (isRefused && (orderUrl !== null || isAsked)) {
      await countFailure(tx, { ...planned, orderUrl, isRenewal: row.chain !== null });
    }
    if (!current) return 'It is gone.';
    // Somebody has mended something meanwhile, and wants it tried: what was just found is of before.
    const isAskedAgain = row.error !== null && current.error === null;
    const isOperators = isAskedAgain && current.skips_budget;
    const wait = isRefused && !isOperators ? await findWaitAfterFailure(tx, planned) : null;
    const nextAt = isAskedAgain ? null : tryAt;
    const at = Math.max(nextAt?.getTime() ?? 0, wait?.until.getTime() ?? 0, now.getTime());
    await updateCertificate(tx, row.id, {
      status,
      tries,
      unreached,
      ...wordsOf(error, wait === null ? message : `${message} ${wait.message}`),
      next_try_at: nextAt,
      limited_until: isRefused ? error.retryAt : null,
      waits_until: wait?.until ?? null,
      ...(isRefused && { order_url: null, order_key: null, skips_budget: isOperators }),
    });
    await enqueueOrder(tx, row.id, { delayMs: at - now.getTime() });
    return message;
  });
}

/** A name that the authority does not even take an order for counts like any other: it was asked in vain. */
async function countFailure(
  tx: Tx,
  { orderUrl, now, ...planned }: Planned & { orderUrl: string | null; isRenewal: boolean },
): Promise<void> {
  const url = orderUrl ?? `refused:${randomUUID()}`;
  const domain = registeredDomainOf(planned.hostname);
  if (orderUrl === null) await recordOrder(tx, { ...planned, orderUrl: url, domain, orderedAt: now });
  await settleOrder(tx, url, 'failed');
}

const detailOf = (error: Error): string | null => (error instanceof AuthorityRefused ? error.forOperator : null);

/** What only whoever runs the platform may read stands apart. */
function wordsOf(error: Error, message: string) {
  const detail = detailOf(error);
  return { error: message, operator_error: detail === null ? null : `${message} ${detail}` };
}

function tellOperator({ log }: CertificatesDeps, { hostname }: CertificateRow, error: Error): void {
  const why = detailOf(error);
  if (why !== null) log.warn({ hostname, why }, `There is no certificate for ${hostname}: ${error.message}`);
}

function tellFailure(
  { log }: CertificatesDeps,
  tx: Tx,
  { row, message }: { row: CertificateRow; message: string },
): Promise<void> {
  const news = `There is no certificate for ${row.hostname}: ${message}`;
  const renewal = `The certificate for ${row.hostname} could not be renewed: ${message}`;
  return tellHolder(
    tx,
    { certificateId: row.id, log },
    { action: 'certificate_failed', severity: 'ERROR', message: row.chain === null ? news : renewal },
  );
}

/** Later with each attempt, and never sooner than the authority wishes. */
function nextTry(
  { id }: CertificateRow,
  { error, waitMs, now }: { error: AuthorityRefused | AuthorityUnavailable; waitMs: number; now: Date },
): Date {
  const ownMs = now.getTime() + waitMs;
  const isForAll = error instanceof AuthorityRefused && error.isForAll;
  const theirMs = (error.retryAt?.getTime() ?? 0) + (isForAll ? SPREAD_MS * shareOf(id) : 0);
  return new Date(Math.max(ownMs, theirMs));
}
