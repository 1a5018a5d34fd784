import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { assignDomain } from '../domains/assign-domain.ts';
import type { ClearedName } from '../domains/clear-name.ts';
import { publishRoutes } from '../domains/publish-routes.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { assertNameFree } from './assert-name-free.ts';
import { insertEnvironment, type EnvironmentToInsert } from './environment-store.ts';
import { claimSubdomain } from './subdomain-store.ts';
import { subdomainCandidates, wantedSubdomain, type OwnHostsConfig } from './subdomain.ts';

export interface EnvironmentToAdd {
  columns: Omit<EnvironmentToInsert, 'subdomain' | 'organisation_id' | 'application_id' | 'custom_domain'>;
  domain?: ClearedName | null;
  caller: Doer;
}

/** Call it with the application held. Its address answers that there is nothing to see so far. */
export async function addEnvironment(
  tx: Tx,
  config: OwnHostsConfig,
  application: Pick<ApplicationRow, 'id' | 'organisation_id' | 'slug'>,
  { columns, domain = null, caller }: EnvironmentToAdd,
): Promise<EnvironmentRow> {
  const { id: applicationId, organisation_id: organisationId, slug: applicationSlug } = application;
  const { id: environmentId, name } = columns;
  await assertNameFree(tx, { applicationId, name });
  const wanted = wantedSubdomain({ isProduction: false, applicationSlug, name });
  const row = { ...columns, organisation_id: organisationId, application_id: applicationId };
  const added = await claimSubdomain(tx, subdomainCandidates(config, wanted), (subdomain) =>
    insertEnvironment(tx, { ...row, subdomain }),
  );
  await recordActivity(tx, { organisationId, applicationId, environmentId, action: 'environment_created', caller });
  if (added.auto_deploy) await enqueueHooks(tx, { applicationId });
  const { environment, routes } = await assignDomain(tx, { environment: added, name: domain });
  await publishRoutes(tx, [...routes, { environmentId, subdomain: added.subdomain, target: null }]);
  return environment;
}
