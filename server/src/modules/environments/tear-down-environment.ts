import { setTimeout as delay } from 'node:timers/promises';
import type { ArtifactsDeps } from '../../artifacts/artifacts-deps.ts';
import { removeArtifacts } from '../../artifacts/remove-artifacts.ts';
import type { Builder } from '../../build/builder.ts';
import type { Store } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { deleteLogsOf } from '../../logs/log-store.ts';
import { deleteMetricsOf } from '../../metrics/metric-store.ts';
import { deleteApplicationRow, lockApplication } from '../applications/application-store.ts';
import type { Fleet } from '../instances/fleet.ts';
import { lockEnvironment } from './environment-store.ts';
import {
  deleteEnvironmentRow,
  deleteUploads,
  findRetired,
  hasEnvironments,
  isAtWork,
  listArtifactIds,
  listSpentUploads,
  type SpentUpload,
} from './tear-down-store.ts';

export interface TearDownDeps extends ArtifactsDeps {
  builder: Pick<Builder, 'forgetEnvironment'>;
  /** Of the worker whose host the instances are on. */
  fleet: Pick<Fleet, 'clear'>;
}

const LOOK_AGAIN_MS = 100;

/**
 * Files before rows: as long as the row is there, this is begun again, and what is removed already is
 * harmless to remove. An application that is being deleted goes with the last of its environments.
 */
export async function tearDownEnvironment(deps: TearDownDeps, id: string, signal: AbortSignal): Promise<void> {
  const { db } = deps.store;
  const environment = await findRetired(db, id);
  if (!environment) return;
  while (await isAtWork(db, id)) await delay(LOOK_AGAIN_MS, undefined, { signal });
  // Its address is withdrawn since it was deleted: what still runs there finishes what it has.
  await deps.fleet.clear(id, signal);
  await removeArtifacts(deps, await listArtifactIds(db, id));
  await deps.builder.forgetEnvironment(id);
  const uploads = await listSpentUploads(db, id);
  for (const { storage_path } of uploads) await deps.objects.remove(storage_path);
  signal.throwIfAborted();
  await removeRows(deps.store, environment, uploads);
}

/** With the application held: of two environments that end together, one must see that it is the last. */
async function removeRows(
  { db }: Pick<Store, 'db'>,
  { id, application_id: applicationId }: EnvironmentRow,
  uploads: readonly SpentUpload[],
): Promise<void> {
  const uploadIds = uploads.map((upload) => upload.id);
  await db.transaction().execute(async (tx) => {
    const application = await lockApplication(tx, applicationId);
    await deleteMetricsOf(tx, id);
    // Before its log: whoever holds an environment may be about to write to its log, and would wait for us.
    await lockEnvironment(tx, id);
    await deleteLogsOf(tx, id);
    await deleteEnvironmentRow(tx, id);
    await deleteUploads(tx, uploadIds);
    const isLast = application?.status === 'deleting' && !(await hasEnvironments(tx, applicationId));
    if (isLast) await deleteApplicationRow(tx, applicationId);
  });
}
