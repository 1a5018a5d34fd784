import type { ApplicationRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockEnvironmentsOf } from '../environments/environment-store.ts';
import { letEdgesFollow } from '../environments/let-edges-follow.ts';
import { retireEnvironment, withdrawn } from '../environments/retire-environment.ts';
import { unhookApplication } from '../vcs/hooks/unhook-application.ts';
import { deleteApplicationRow, lockApplication, updateApplication } from './application-store.ts';
import type { ApplicationsDeps } from './applications-deps.ts';

/** Shown as `deleting` until the last of its environments is torn down. Asked for again, it changes nothing. */
export async function deleteApplication(
  { store }: Pick<ApplicationsDeps, 'store'>,
  { application: { id }, caller }: { application: ApplicationRow; caller: Caller },
): Promise<void> {
  let version: number | null = null;
  await store.db.transaction().execute(async (tx) => {
    const application = await lockApplication(tx, id);
    if (!application) throw notFound('Application');
    if (application.status === 'deleting') return;
    const environments = await lockEnvironmentsOf(tx, id);
    const living = environments.filter(({ status }) => status !== 'deleting');
    for (const environment of living) await retireEnvironment(tx, environment);
    // The slug is given up with production's subdomain.
    await updateApplication(tx, id, { status: 'deleting', slug: id });
    const { organisation_id: organisationId } = application;
    await recordActivity(tx, { organisationId, applicationId: id, action: 'application_deleted', caller });
    await unhookApplication(tx, application);
    if (environments.length === 0) await deleteApplicationRow(tx, id);
    for (const environment of living) version = await publishRoute(tx, withdrawn(environment));
  });
  await letEdgesFollow(store.db, version);
}
