import { fetchOcsp, type FetchedOcsp } from '../../certificates/ocsp/fetch-ocsp.ts';
import { readQuestioned, readResponse, type Questioned } from '../../certificates/ocsp/ocsp.ts';
import { announceCertificate } from '../../certificates/served-certificate-store.ts';
import type { CertificateRow } from '../../db/schema.ts';
import { holdJob } from '../../jobs/claim-store.ts';
import type { JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import { findCertificate, updateCertificate, type CertificateColumns } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { enqueueOrder, type OfCertificate } from './job-kinds.ts';
import { tellHolder } from './tell-holder.ts';

const MINUTE_MS = 60_000;
const AGAIN_MS = 60 * MINUTE_MS;
/** Looked at once a day at least: one that is revoked is to be replaced. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;

/** Keeps the authority's word that a certificate is good, for edges to show; one that is not is replaced. */
export async function checkOcsp(
  deps: CertificatesDeps,
  { certificateId }: OfCertificate,
  context: JobContext,
): Promise<string> {
  const { store, clock, log, config } = deps;
  const row = await findCertificate(store.db, certificateId);
  const questioned = row?.chain ? readQuestioned(row.chain) : null;
  if (!row || !questioned) return 'There is nothing to ask about.';
  let answer: FetchedOcsp | null;
  try {
    const { hostVariables } = config.builds;
    answer = await fetchOcsp(questioned, { hostVariables, clock, signal: context.signal });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    log.warn(`Whether the certificate for ${row.hostname} is still good could not be learnt: ${why}`);
    await write(deps, context, row, { ocsp_renew_at: inTime(deps, AGAIN_MS), ...withoutStale(deps, row, questioned) });
    return why;
  }
  if (!answer) {
    await write(deps, context, row, { ocsp_renew_at: null });
    return 'The authority offers no such word.';
  }
  if (answer.status === 'revoked') return replaceRevoked(deps, context, row);
  const renewAt = renewTime(deps, answer);
  const isGood = answer.status === 'good';
  await write(deps, context, row, { ocsp: isGood ? answer.bytes : null, ocsp_renew_at: renewAt });
  return `The authority says that it is ${answer.status}.`;
}

/** At half of its life. */
function renewTime(deps: CertificatesDeps, { thisUpdate, nextUpdate }: FetchedOcsp): Date {
  const half = (thisUpdate.getTime() + nextUpdate.getTime()) / 2 - deps.clock.now().getTime();
  return inTime(deps, Math.min(LONGEST_MS, Math.max(MINUTE_MS, half)));
}

const inTime = ({ clock }: CertificatesDeps, ms: number) => new Date(clock.now().getTime() + ms);

/** A word that is no longer good is worse than none. */
function withoutStale({ clock }: CertificatesDeps, row: CertificateRow, questioned: Questioned): { ocsp?: null } {
  if (row.ocsp === null) return {};
  try {
    readResponse(row.ocsp, questioned, clock.now());
    return {};
  } catch {
    return { ocsp: null };
  }
}

/** Edges are told where what they show has changed. */
function write(deps: CertificatesDeps, context: JobContext, row: CertificateRow, columns: CertificateColumns) {
  return deps.store.db.transaction().execute(async (tx) => {
    if (!(await holdJob(tx, context))) throw new JobStopped('lost');
    // It may have been replaced since; then this is not about it any more.
    if ((await findCertificate(tx, row.id))?.serial !== row.serial) return;
    await updateCertificate(tx, row.id, columns);
    if ('ocsp' in columns) await announceCertificate(tx, row.id);
  });
}

async function replaceRevoked(deps: CertificatesDeps, context: JobContext, row: CertificateRow): Promise<string> {
  const message = `The authority has revoked the certificate for ${row.hostname}. Another one is ordered.`;
  if (row.is_revoked) {
    await write(deps, context, row, { ocsp_renew_at: inTime(deps, AGAIN_MS) });
    return message;
  }
  await deps.store.db.transaction().execute(async (tx) => {
    if (!(await holdJob(tx, context))) throw new JobStopped('lost');
    if ((await findCertificate(tx, row.id))?.serial !== row.serial) return;
    const news = { action: 'certificate_failed', severity: 'ERROR', message } as const;
    await tellHolder(tx, { certificateId: row.id, log: deps.log }, news);
    const now = deps.clock.now();
    const due = { renew_at: now, next_try_at: null, ocsp_renew_at: inTime(deps, AGAIN_MS) };
    await updateCertificate(tx, row.id, { is_revoked: true, ocsp: null, error: message, status: 'renewing', ...due });
    await enqueueOrder(tx, row.id);
    await announceCertificate(tx, row.id);
  });
  return message;
}
