import type { Variables } from '@lilac/contract/variable-changes';
import type { Insertable } from 'kysely';
import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, ApplicationsTable } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { startDeployment } from '../deployments/start-deployment.ts';
import { insertEnvironment, type EnvironmentToInsert } from '../environments/environment-store.ts';
import { claimSubdomain } from '../environments/subdomain-store.ts';
import { subdomainCandidates, wantedSubdomain } from '../environments/subdomain.ts';
import { sealVariables } from '../environments/variables.ts';
import { assignDomain } from '../domains/assign-domain.ts';
import type { ClearedName } from '../domains/clear-name.ts';
import { publishRoutes } from '../domains/publish-routes.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { holdFolder, insertApplication } from './application-store.ts';
import type { ApplicationsDeps } from './applications-deps.ts';

export interface NewApplication {
  organisationId: string;
  folderId: string | null;
  application: Omit<Insertable<ApplicationsTable>, 'id' | 'organisation_id' | 'project_id' | 'slug'>;
  production: Partial<
    Omit<EnvironmentToInsert, 'id' | 'name' | 'subdomain' | 'is_production' | 'variables' | 'custom_domain'>
  >;
  domain: ClearedName | null;
  variables: Variables;
  /** What is built first, where it is no branch. */
  uploadId: string | null;
  caller: Caller;
}

/** All or nothing: the application, its production environment, and the deployment that is the first to move. */
export async function foundApplication(
  tx: Tx,
  { config, keyring }: Pick<ApplicationsDeps, 'config' | 'keyring'>,
  { organisationId, folderId, caller, uploadId, domain, ...given }: NewApplication,
): Promise<ApplicationRow> {
  if (folderId !== null && !(await holdFolder(tx, { organisationId, folderId }))) throw notFound('Folder');
  const environmentId = newId('env');
  const wanted = wantedSubdomain({ isProduction: true, applicationName: given.application.name });
  const production: Omit<EnvironmentToInsert, 'subdomain' | 'application_id'> = {
    ...given.production,
    id: environmentId,
    organisation_id: organisationId,
    name: 'production',
    is_production: true,
    variables: sealVariables(keyring, environmentId, given.variables),
  };
  const founded = await claimSubdomain(tx, subdomainCandidates(config, wanted), async (slug) => {
    const ids = { id: newId('app'), organisation_id: organisationId, project_id: folderId };
    const application = await insertApplication(tx, { ...given.application, ...ids, slug });
    const row = { ...production, application_id: application.id, subdomain: slug };
    return { application, environment: await insertEnvironment(tx, row) };
  });
  const applicationId = founded.application.id;
  const { id: deploymentId } = await startDeployment(tx, { ...founded, uploadId });
  const deed = { organisationId, applicationId, environmentId, deploymentId, caller };
  await recordActivity(tx, { ...deed, action: 'application_created' });
  await enqueueHooks(tx, { applicationId });
  const { routes } = await assignDomain(tx, { environment: founded.environment, name: domain });
  await publishRoutes(tx, [...routes, { environmentId, subdomain: founded.environment.subdomain, target: null }]);
  return founded.application;
}
