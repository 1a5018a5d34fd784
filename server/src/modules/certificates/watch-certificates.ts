import { describeTime } from '../../certificates/describe-time.ts';
import type { Db } from '../../db/pool.ts';
import { DAY_MS, isEnding } from './certificate.ts';
import { deleteOtherPlatformCertificates, listPlatformHostnames, updateCertificate } from './certificate-store.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { listDueOcsp, listDueOrders, listOverdue, type ShownCertificate } from './due-certificate-store.ts';
import { ensureCertificate } from './ensure-certificate.ts';
import { enqueueOcsp, enqueueOrder } from './job-kinds.ts';
import { dropEndedKept } from './kept-certificate-store.ts';
import { LONGEST_WINDOW_MS, RENEWALS_WINDOW_MS } from './order-budget.ts';
import { countRenewals, forgetOrders } from './order-budget-store.ts';
import { platformHostnames } from './platform-names.ts';
import { tellHolder, type CertificateNews } from './tell-holder.ts';

/** Has done what is due; that nothing is forgotten does not hang on any job that was lost. */
export async function watchCertificates(deps: CertificatesDeps): Promise<void> {
  const { store, clock, config } = deps;
  const now = clock.now();
  if (config.tls.port !== null) await watchServed(deps, now);
  await dropEndedKept(store.db, now);
  await forgetOrders(store.db, new Date(now.getTime() - LONGEST_WINDOW_MS));
  await deps.sweepAnswers();
}

async function watchServed(deps: CertificatesDeps, now: Date): Promise<void> {
  const { store } = deps;
  await keepPlatformNames(deps);
  for (const id of await listDueOrders(store.db, { now, renewals: await roomForRenewals(deps, now) }))
    await inTurn(store.db, id, enqueueOrder);
  for (const id of await listDueOcsp(store.db, now)) await inTurn(store.db, id, enqueueOcsp);
  const toldBefore = new Date(now.getTime() - DAY_MS);
  for (const row of await listOverdue(store.db, { now, toldBefore })) await warn(deps, row, now);
}

async function roomForRenewals({ store, config }: CertificatesDeps, now: Date): Promise<number> {
  const since = new Date(now.getTime() - RENEWALS_WINDOW_MS);
  return Math.max(0, config.acme.renewals - (await countRenewals(store.db, since)));
}

const inTurn = (db: Db, id: string, add: typeof enqueueOcsp) => db.transaction().execute((tx) => add(tx, id));

/** The platform's own hosts, as the settings name them now. */
async function keepPlatformNames({ store: { db }, config, authority, log }: CertificatesDeps): Promise<void> {
  if (!authority) return;
  const wanted = platformHostnames(config);
  const present = new Set(await listPlatformHostnames(db));
  for (const hostname of wanted.filter((each) => !present.has(each))) {
    await db.transaction().execute((tx) => ensureCertificate(tx, { hostname, domainId: null }));
  }
  if ([...present].every((hostname) => wanted.includes(hostname))) return;
  for (const hostname of await deleteOtherPlatformCertificates(db, wanted)) {
    log.info(`The certificate for ${hostname} was given up: it is no host of this platform any more.`);
  }
}

/** Once a day, and when it ends: it should have been renewed long ago, and is about to end, or has. */
async function warn({ store, log }: CertificatesDeps, row: ShownCertificate, now: Date): Promise<void> {
  const hasEnded = row.not_after <= now;
  if (!hasEnded && !isEnding({ notBefore: row.not_before, notAfter: row.not_after }, now)) return;
  const because = row.error === null ? '' : ` ${row.error}`;
  const news: CertificateNews = hasEnded
    ? {
        action: 'certificate_failed',
        severity: 'ERROR',
        message: `The certificate for ${row.hostname} has ended.${because}`,
      }
    : {
        action: 'certificate_expiring',
        severity: 'WARN',
        message: `The certificate for ${row.hostname} ends ${describeTime(row.not_after)} and was not renewed yet.${because}`,
      };
  await store.db.transaction().execute(async (tx) => {
    await tellHolder(tx, { certificateId: row.id, log }, news);
    const why = { error: row.error ?? news.message, operator_error: row.operator_error };
    const ended = { status: 'failed' as const, ...why };
    await updateCertificate(tx, row.id, { warned_at: now, ...(hasEnded && ended) });
  });
}
