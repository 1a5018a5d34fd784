import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, DeploymentRow, EnvironmentRow } from '../../db/schema.ts';
import { cancelJob } from '../../jobs/queue-store.ts';
import { conflict, invalid, notFound } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import {
  findNewestUpload,
  holdEnvironment,
  insertDeployment,
  readHistory,
  updateDeployment,
  type HeldEnvironment,
} from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';
import { enqueueBuild, enqueueRetain } from './job-kinds.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { storable } from './storable.ts';
import { news, tellEnvironment } from './tell-environment.ts';

const SUPERSEDED = 'Superseded by a newer deployment.';

export interface DeploymentToStart {
  environment: EnvironmentRow;
  application: ApplicationRow;
  /** A new archive, held by this transaction; left out, the one that was deployed last. */
  uploadId?: string | null;
  /** The branch's head, where it is known already; what is built is the head of that moment. */
  commit?: { sha: string; message: string | null };
}

/** The row that says "pending" and the job that will move it are written together. Those that still wait give way. */
export async function startDeployment(
  tx: Tx,
  { environment, uploadId, commit }: DeploymentToStart,
): Promise<DeploymentRow> {
  const held = await holdEnvironment(tx, environment.id);
  if (!held) throw notFound('Environment');
  if (held.environment.status === 'deleting' || held.application.status === 'deleting') {
    throw conflict('This environment is being deleted.');
  }
  const source = await sourceOf(tx, held, uploadId ?? null);
  await supersedeWaiting(tx, environment.id);
  const { id } = await insertDeployment(tx, {
    id: newId('dep'),
    organisation_id: environment.organisation_id,
    application_id: environment.application_id,
    environment_id: environment.id,
    ...source,
    ...(commit && { commit_sha: commit.sha, commit_message: commit.message && storable(commit.message) }),
  });
  const subject = { id, environment_id: environment.id, organisation_id: environment.organisation_id };
  const started = await updateDeployment(tx, id, { job_id: await enqueueBuild(tx, subject) });
  await enqueueRetain(tx, environment.id);
  await refreshStatuses(tx, environment.id);
  return started;
}

async function sourceOf(
  tx: Tx,
  { environment, application }: HeldEnvironment,
  uploadId: string | null,
): Promise<Pick<DeploymentRow, 'upload_id' | 'vcs_branch'>> {
  if (application.source_type === 'upload') {
    const upload_id = uploadId ?? (await findNewestUpload(tx, environment));
    if (!upload_id) throw conflict('There is no archive to deploy. Upload one and send its uploadId.');
    return { upload_id, vcs_branch: null };
  }
  if (uploadId) throw invalid('uploadId: this application is deployed from its repository, not from an archive.');
  const vcs_branch = environment.vcs_branch ?? application.vcs_branch;
  if (!vcs_branch) throw conflict('This environment follows no branch.');
  return { upload_id: null, vcs_branch };
}

async function supersedeWaiting(tx: Tx, environmentId: string): Promise<void> {
  const { entries } = await readHistory(tx, environmentId);
  for (const { id, job_id } of entries.filter(({ status }) => status === 'pending')) {
    await endDeployment(tx, id, { status: 'cancelled', error: SUPERSEDED });
    await tellEnvironment(tx, { id, environment_id: environmentId }, news.neverBuilt(SUPERSEDED));
    // One that a worker has taken this very moment finds itself cancelled.
    if (job_id) await cancelJob(tx, job_id);
  }
}
