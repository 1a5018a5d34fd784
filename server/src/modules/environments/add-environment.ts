import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import { publishRoute } from '../../routing/route-store.ts';
import type { Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { assertNameFree } from './assert-name-free.ts';
import { insertEnvironment, type EnvironmentToInsert } from './environment-store.ts';
import { claimSubdomain } from './subdomain-store.ts';
import { subdomainCandidates, wantedSubdomain, type HostsConfig } from './subdomain.ts';

export interface EnvironmentToAdd {
  columns: Omit<EnvironmentToInsert, 'subdomain' | 'organisation_id' | 'application_id'>;
  caller: Doer;
}

/** Call it with the application held. Its address answers that there is nothing to see so far. */
export async function addEnvironment(
  tx: Tx,
  config: HostsConfig,
  application: Pick<ApplicationRow, 'id' | 'organisation_id' | 'slug'>,
  { columns, caller }: EnvironmentToAdd,
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
  await publishRoute(tx, { environmentId, subdomain: added.subdomain, target: null });
  return added;
}
