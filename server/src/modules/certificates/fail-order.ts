import { randomUUID } from 'node:crypto';
import { AuthorityRefused, AuthorityUnavailable } from '../../certificates/certificate-authority.ts';
import { describeTime } from '../../certificates/describe-time.ts';
import type { Tx } from '../../db/pool.ts';
import type { CertificateRow } from '../../db/schema.ts';
import type { JobContext } from '../../jobs/job.ts';
import {
  backoffMs,
  ofRevoked,
  patienceMs,
  shareOf,
  spreadMs,
  statusAfterFailure,
  statusWhileLimited,
} from './certificate.ts';
import { countLimited, lockCertificate, updateCertificate, type Holder } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { inJob } from './in-job.ts';
import { enqueueOrder } from './job-kinds.ts';
import { findWaitAfterFailure, type Planned } from './order-budget.ts';
import { recordOrder, settleOrder } from './order-budget-store.ts';
import { registeredDomainOf } from '../../lib/registered-domain.ts';
import { tellHolder } from './tell-holder.ts';

/** An order that was refused is over; one that was cut off, or met a limit of the whole account, is gone on with. */
export async function failOrder(
  deps: CertificatesDeps,
  { row, holder, orderUrl }: { row: CertificateRow; holder: Holder | null; orderUrl: string | null },
  context: JobContext,
  error: AuthorityRefused | AuthorityUnavailable,
): Promise<string> {
  const now = deps.clock.now();
  const { isOver, tryAt, ...standing } = await judge(deps, { row, error, now });
  tellOperator(deps, row, error);
  return inJob(deps, context, async (tx) => {
    if (standing.status === 'failed' && row.status !== 'failed') {
      await tellFailure(deps, tx, { row, message: `${error.message} ${triedAgain(error, tryAt)}` });
    }
    const current = await lockCertificate(tx, row.id);
    const planned = { hostname: row.hostname, organisationId: holder?.organisationId ?? null, now };
    const isAsked = deps.authority !== null && error.retryAt === null;
    if (isOver && (orderUrl !== null || isAsked)) {
      await countFailure(tx, { ...planned, orderUrl, isRenewal: row.chain !== null });
    }
    if (!current) return 'It is gone.';
    // Somebody has mended something meanwhile, and wants it tried: what was just found is of before.
    const isAskedAgain = row.error !== null && current.error === null;
    const isOperators = isAskedAgain && current.skips_budget;
    const wait = isOver && !isOperators ? await findWaitAfterFailure(tx, planned) : null;
    const nextAt = isAskedAgain ? null : tryAt;
    const at = Math.max(nextAt?.getTime() ?? 0, wait?.until.getTime() ?? 0, now.getTime());
    const when = wait && wait.until.getTime() >= at ? wait.message : nextAt && triedAgain(error, nextAt);
    const message = `${ofRevoked(row)}${when ? `${error.message} ${when}` : error.message}`;
    await updateCertificate(tx, row.id, {
      ...standing,
      ...wordsOf(error, message),
      next_try_at: nextAt,
      limited_until: error instanceof AuthorityRefused || error.isForAll ? error.retryAt : null,
      waits_until: wait?.until ?? null,
      ...(isOver && { order_url: null, order_key: null, skips_budget: isOperators }),
    });
    await enqueueOrder(tx, row.id, { delayMs: at - now.getTime() });
    return message;
  });
}

interface Judged extends Pick<CertificateRow, 'status' | 'tries' | 'unreached'> {
  /** The order came to nothing. */
  isOver: boolean;
  tryAt: Date;
}

/** Later with each attempt, and never sooner than the authority wishes. */
async function judge(
  { store }: CertificatesDeps,
  { row, error, now }: { row: CertificateRow; error: AuthorityRefused | AuthorityUnavailable; now: Date },
): Promise<Judged> {
  const { tries } = row;
  // It says nothing about this name: however often it is met, nothing is lost but time.
  if (error instanceof AuthorityRefused && error.isForAll) {
    const isFirst = row.chain === null;
    const waiting = await countLimited(store.db, { isFirst, now });
    const fromMs = Math.max(error.retryAt?.getTime() ?? 0, now.getTime());
    const tryAt = new Date(fromMs + spreadMs(waiting) * shareOf(row.id));
    return { isOver: false, tries, unreached: 0, status: statusWhileLimited(row), tryAt };
  }
  const later = (waitMs: number) => new Date(Math.max(now.getTime() + waitMs, error.retryAt?.getTime() ?? 0));
  if (error instanceof AuthorityRefused) {
    const status = statusAfterFailure(row, { tries: tries + 1, isRefused: true, now });
    return { isOver: true, tries: tries + 1, unreached: 0, status, tryAt: later(backoffMs(tries + 1)) };
  }
  const unreached = row.unreached + 1;
  const status = statusAfterFailure(row, { tries: unreached, isRefused: false, now });
  return { isOver: false, tries, unreached, status, tryAt: later(patienceMs(unreached)) };
}

function triedAgain(error: AuthorityRefused | AuthorityUnavailable, at: Date): string {
  const isLimit = error instanceof AuthorityRefused && error.retryAt !== null;
  return `It is tried again ${describeTime(at)}${isLimit ? '; sooner would be in vain' : ''}.`;
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

const RESUME = 'To have it asked before: lilac admin certificates resume.';

const detailOf = (error: Error): string | null => (error instanceof AuthorityRefused ? error.forOperator : null);

/** What only whoever runs the platform may read stands apart. */
function wordsOf(error: Error, message: string) {
  const isPause = (error instanceof AuthorityRefused || error instanceof AuthorityUnavailable) && error.isForAll;
  const detail = detailOf(error) ?? (isPause ? RESUME : null);
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
