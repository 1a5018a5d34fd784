import type { EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { retryCertificate } from '../certificates/retry-certificate.ts';
import { holdEnvironment } from '../environments/hold-environment.ts';
import { findDomainOf, updateDomain } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { isWildcard } from './hostname.ts';
import { enqueueCheck } from './job-kinds.ts';
import { lookAtDomain } from './look-at-domain.ts';

/**
 * Looks at once, and has a certificate that failed tried again where the name leads here; both go on by themselves as
 * from the beginning.
 */
export async function retryDomain(
  deps: DomainsDeps,
  { environment, caller }: { environment: EnvironmentRow; caller: Caller },
): Promise<void> {
  const { id: environmentId, application_id: applicationId, organisation_id: organisationId } = environment;
  const { db } = deps.store;
  const { id: domainId, hostname } = await db.transaction().execute(async (tx) => {
    await holdApplication(tx, applicationId);
    await holdEnvironment(tx, environmentId);
    const domain = await findDomainOf(tx, environmentId);
    if (!domain) throw conflict('This environment has no domain of its own. Add one first.');
    await updateDomain(tx, domain.id, { failed_checks: 0, next_check_at: deps.clock.now() });
    await enqueueCheck(tx, domain);
    const deed = { action: 'custom_domain_retried', detail: domain.hostname, caller } as const;
    await recordActivity(tx, { organisationId, applicationId, environmentId, ...deed });
    return domain;
  });
  const isReached = await lookAtDomain(deps, domainId);
  // An authority that would ask elsewhere, or nowhere, is not asked: what it refuses, it counts.
  if (!isReached && !isWildcard(hostname)) return;
  await db.transaction().execute((tx) => retryCertificate(tx, domainId, deps.clock.now()));
}
