import type { Tx } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { enqueueUnhook } from './job-kinds.ts';

/** For an application that goes. The job finds whether another one wants the pushes of the same repository. */
export async function unhookApplication(
  tx: Tx,
  application: Pick<ApplicationRow, 'git_provider' | 'provider2_project_id' | 'provider3_repo_uuid'>,
): Promise<void> {
  const { git_provider: provider, provider2_project_id: projectId, provider3_repo_uuid: uuid } = application;
  if (provider === 'provider2' && projectId !== null) {
    await enqueueUnhook(tx, { provider, repositoryId: projectId });
  }
  if (provider === 'provider3' && uuid !== null) await enqueueUnhook(tx, { provider, repositoryId: uuid });
}
