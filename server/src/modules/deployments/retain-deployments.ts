import type { Store } from '../../db/pool.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { whatToForget } from './deployment.ts';
import { holdEnvironment, readHistory } from './deployment-store.ts';
import { forgetArtifacts, forgetDeployments, forgetUpload, listForgottenUploads } from './retention-store.ts';

export interface RetainDeps {
  store: Pick<Store, 'db'>;
  objects: Pick<ObjectStore, 'remove'>;
  artifacts: {
    /** Removes artifacts with what only they need. */
    remove(artifactIds: readonly string[]): Promise<unknown>;
  };
}

/**
 * Forgets what an environment no longer needs. First the rows, so that nothing can ask for what goes;
 * what is left when this is interrupted is found by the sweep.
 */
export async function retainDeployments(deps: RetainDeps, environmentId: string): Promise<void> {
  const { artifactIds, uploadIds } = await deps.store.db.transaction().execute(async (tx) => {
    if (!(await holdEnvironment(tx, environmentId))) return { artifactIds: [], uploadIds: [] };
    const forgotten = whatToForget(await readHistory(tx, environmentId));
    await forgetArtifacts(tx, forgotten.artifactIds);
    return { ...forgotten, uploadIds: await forgetDeployments(tx, forgotten.deploymentIds) };
  });
  if (artifactIds.length > 0) await deps.artifacts.remove(artifactIds);
  if (uploadIds.length > 0) await removeForgottenUploads(deps, uploadIds);
}

/** The newest archive of an environment is always that of a deployment that is kept. */
export async function removeForgottenUploads(
  { store, objects }: Omit<RetainDeps, 'artifacts'>,
  among: readonly string[] | 'all',
): Promise<void> {
  for (const { id, storagePath } of await listForgottenUploads(store.db, among)) {
    await objects.remove(storagePath);
    await forgetUpload(store.db, id);
  }
}
