import type { EnvironmentRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { publishRoute } from '../../routing/route-store.ts';
import type { Doer } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockApplication } from '../applications/application-store.ts';
import { lockEnvironment } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { letEdgesFollow } from './let-edges-follow.ts';
import { retireEnvironment, withdrawn } from './retire-environment.ts';

/** Its address answers nothing any more when this has committed. Asked for again, it changes nothing. */
export async function deleteEnvironment(
  { store }: Pick<EnvironmentsDeps, 'store'>,
  {
    environment: { id, application_id: applicationId },
    caller,
  }: { environment: Pick<EnvironmentRow, 'id' | 'application_id'>; caller: Doer },
): Promise<void> {
  const version = await store.db.transaction().execute(async (tx) => {
    await lockApplication(tx, applicationId);
    const environment = await lockEnvironment(tx, id);
    if (!environment) throw notFound('Environment');
    if (environment.status === 'deleting') return null;
    if (environment.is_production) {
      throw conflict('The production environment can only be removed together with its application.');
    }
    await retireEnvironment(tx, environment);
    const { organisation_id: organisationId } = environment;
    await recordActivity(tx, {
      organisationId,
      applicationId,
      environmentId: id,
      action: 'environment_deleted',
      caller,
    });
    return publishRoute(tx, withdrawn(environment));
  });
  await letEdgesFollow(store.db, version);
}
