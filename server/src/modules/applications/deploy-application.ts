import type { ApplicationRow, DeploymentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { deployEnvironment } from '../environments/deploy-environment.ts';
import { listEnvironmentsOf } from './application-store.ts';
import type { ApplicationsDeps } from './applications-deps.ts';

export interface DeployRequest {
  application: ApplicationRow;
  /** Production when left out. */
  environmentId: string | undefined;
  uploadId: string | undefined;
  caller: Caller;
}

/** An environment of another application is as unknown here as one that never was. */
export async function deployApplication(
  { store }: Pick<ApplicationsDeps, 'store'>,
  { application: { id, organisation_id }, environmentId, uploadId, caller }: DeployRequest,
): Promise<DeploymentRow> {
  const environments = await listEnvironmentsOf(store.db, id);
  const chosen = environments.find((each) => (environmentId ? each.id === environmentId : each.is_production));
  if (!chosen) throw notFound('Environment');
  const environment = { id: chosen.id, application_id: id, organisation_id };
  return deployEnvironment({ store }, { environment, uploadId, caller });
}
