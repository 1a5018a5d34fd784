import type { Tx } from '../../db/pool.ts';
import type { DomainRow, EnvironmentRow } from '../../db/schema.ts';
import { tellLog } from '../../logs/tell-log.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { ensureCertificate } from '../certificates/ensure-certificate.ts';
import { retryCertificate } from '../certificates/retry-certificate.ts';
import { lockEnvironment } from '../environments/environment-store.ts';
import { letEdgesFollow } from '../environments/let-edges-follow.ts';
import { newsOf } from './domain-news.ts';
import { findDomain, lockDomain, updateDomain } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { isWildcard } from './hostname.ts';
import { enqueueCheck } from './job-kinds.ts';
import { judgeDns, reachesHere, type DnsFindings, type DnsVerdict } from './judge-dns.ts';
import { findApex, lookAtDns } from './look-at-dns.ts';
import { nextCheckMs } from './next-check.ts';
import { ownershipText } from './ownership.ts';
import { isAmong } from './platform-addresses.ts';
import { wantedName } from './wanted-name.ts';

interface Look {
  findings: DnsFindings;
  isApex: boolean | null;
  addresses: readonly string[];
}

/**
 * Asks the DNS, writes down what it says, and goes on from there: a name that is proved is served, and a certificate
 * ordered for it. `isDue`: it was the platform's own turn, which the next one follows. Whether who asks at the name
 * asks this platform; null: nobody can tell at the moment.
 */
export async function lookAtDomain(
  deps: DomainsDeps,
  domainId: string,
  { isDue = false }: { isDue?: boolean } = {},
): Promise<boolean | null> {
  const { db } = deps.store;
  const seen = await findDomain(db, domainId);
  if (!seen) return null;
  const look = await askDns(deps, seen);
  const done = await db.transaction().execute(async (tx) => {
    const environment = await lockEnvironment(tx, seen.environment_id);
    const domain = environment && (await lockDomain(tx, domainId));
    if (!domain || environment.status === 'deleting') return null;
    const verdict = await judge(deps, tx, { domain, environment, look });
    await writeDown(deps, tx, { domain, verdict, look, isDue });
    const isSecure = deps.config.tls.port !== null;
    const version = await goOn(tx, { domain, environment, verdict, now: deps.clock.now(), isSecure });
    return { version, isReached: verdict.isReached };
  });
  await letEdgesFollow(db, done?.version ?? null);
  return done?.isReached ?? null;
}

type Verdict = DnsVerdict & { isReached: boolean | null };

async function askDns(deps: DomainsDeps, domain: DomainRow): Promise<Look> {
  const { dns, ownershipKey, platformAddresses } = deps;
  const { hostname, organisation_id: organisationId } = domain;
  const text = ownershipText(ownershipKey, { organisationId, hostname });
  const [answers, isApex, addresses] = await Promise.all([
    lookAtDns(dns, { hostname, text }),
    findApex(dns, hostname),
    platformAddresses(),
  ]);
  const isPassedOn =
    answers.texts.includes(text.value) &&
    answers.addresses.some((address) => !isAmong(addresses, address)) &&
    (await deps.isPassedOn(answers.name, answers.addresses));
  return { findings: { ...answers, isPassedOn }, isApex, addresses };
}

async function judge(
  deps: DomainsDeps,
  tx: Tx,
  { domain, environment, look }: { domain: DomainRow; environment: EnvironmentRow; look: Look },
): Promise<Verdict> {
  const { isApex, addresses, findings } = look;
  const current = { ...domain, is_apex: isApex ?? domain.is_apex };
  const wanted = await wantedName(deps, tx, { domain: current, environment, addresses });
  const { appsDomain } = deps.config;
  const judged = { ...wanted, appsDomain, wasProved: domain.verified_at !== null };
  return { ...judgeDns(judged, findings), isReached: reachesHere(judged, findings) };
}

async function writeDown(
  { clock }: Pick<DomainsDeps, 'clock'>,
  tx: Tx,
  { domain, verdict, look, isDue }: { domain: DomainRow; verdict: Verdict; look: Pick<Look, 'isApex'>; isDue: boolean },
): Promise<void> {
  const now = clock.now();
  const { isProved, isPointing, isReached, error, fault } = verdict;
  const columns = {
    is_apex: look.isApex ?? domain.is_apex,
    verified_at: domain.verified_at ?? (isProved ? now : null),
    is_pointing: isPointing ?? domain.is_pointing,
    is_reached: isReached ?? domain.is_reached,
    checked_at: now,
    astray_since: astraySince(domain, verdict, now),
    error,
    // What could not be asked for is as it was.
    record_fault: isPointing === null ? domain.record_fault : fault,
  };
  if (!isDue) return updateDomain(tx, domain.id, columns);
  // Whoever asks in between does not make the platform lose its patience sooner.
  const failedChecks = error === null ? 0 : domain.failed_checks + 1;
  const delayMs = nextCheckMs(failedChecks);
  const nextCheckAt = new Date(now.getTime() + delayMs);
  await updateDomain(tx, domain.id, { ...columns, failed_checks: failedChecks, next_check_at: nextCheckAt });
  await enqueueCheck(tx, domain, { delayMs });
}

/** One that never led here has not gone astray. */
function astraySince(
  { verified_at, is_pointing: wasPointing, astray_since: since }: DomainRow,
  { isPointing }: DnsVerdict,
  now: Date,
): Date | null {
  if (isPointing === null) return since;
  if (isPointing) return null;
  return since ?? (verified_at !== null && wasPointing ? now : null);
}

/** What follows from the verdict; the version that edges must reach, if any. */
async function goOn(
  tx: Tx,
  {
    domain,
    environment,
    verdict,
    now,
    isSecure,
  }: { domain: DomainRow; environment: EnvironmentRow; verdict: Verdict; now: Date; isSecure: boolean },
): Promise<number | null> {
  const { id: domainId, hostname, organisation_id: organisationId } = domain;
  const wasProved = domain.verified_at !== null;
  const { isProved, isPointing, isReached } = verdict;
  if (!wasProved && !isProved) return null;
  const { id: environmentId, application_id: applicationId, subdomain } = environment;
  const news = newsOf(domain, verdict);
  if (news) {
    const deed = { action: news.action, detail: hostname, caller: 'platform' } as const;
    await recordActivity(tx, { organisationId, applicationId, environmentId, ...deed });
    await tellLog(tx, { environmentId, severity: news.severity, message: news.message });
  }
  // An authority asks where the name leads to; for a wildcard it asks the DNS alone.
  const isWanted = isSecure && (isPointing || isWildcard(hostname));
  if (isWanted) await ensureCertificate(tx, { hostname, domainId });
  const isBack = (isPointing && !domain.is_pointing) || (isReached && !domain.is_reached);
  if (isBack) await retryCertificate(tx, domainId, now);
  if (wasProved) return null;
  return publishRoute(tx, { environmentId, subdomain, domain: hostname });
}
