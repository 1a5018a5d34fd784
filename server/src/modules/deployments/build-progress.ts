import type { DeploymentStage } from '@lilac/contract/states';
import type { Plan } from '../../build/plan.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { RunSpec } from '../../db/run-spec.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import { holdJob } from '../../jobs/claim-store.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import { linksOf, type DatabaseLinks } from '../databases/links/link-store.ts';
import { enqueueStatus } from '../vcs/statuses/job-kinds.ts';
import { firstReleaseStage, isMoving, isOvertaken, SUPERSEDED } from './deployment.ts';
import type { BuildSubject } from './build-subject.ts';
import {
  findDeployment,
  findStoragePath,
  holdDeployment,
  holdEnvironment,
  noteDetected,
  readHistory,
  updateDeployment,
} from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';
import { BUILD_ATTEMPTS, enqueueRelease, enqueueRetain } from './job-kinds.ts';
import { appendLines } from './log-store.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { storable } from './storable.ts';
import { news, tellEnvironment } from './tell-environment.ts';

const storableValue = (_name: string, value: unknown): unknown => (typeof value === 'string' ? storable(value) : value);

interface Step {
  deploymentId: string;
  context: Pick<JobContext, 'jobId' | 'claim'>;
}

/** Null when there is nothing to build any more: it was cancelled, or it is gone. */
export function beginBuild(db: Db, deploymentId: string, context: Step['context']): Promise<BuildSubject | null> {
  return db.transaction().execute(async (tx) => {
    const row = await findDeployment(tx, deploymentId);
    const held = row && (await holdEnvironment(tx, row.environment_id));
    if (!held || held.environment.status === 'deleting') return null;
    const before = await findOurs(tx, { deploymentId, context });
    if (!before || (await isTooLate(tx, before))) return null;
    const deployment = await updateDeployment(tx, deploymentId, { status: 'building', stage: 'fetching' });
    const storagePath = deployment.upload_id && (await findStoragePath(tx, deployment.upload_id));
    await refreshStatuses(tx, deployment.environment_id);
    const isAgain = before.status === 'building';
    await tellEnvironment(tx, deployment, news.buildStarted(deployment, isAgain));
    const databaseLinks = await linksOf(tx, deployment.environment_id);
    return { ...held, deployment, storagePath: storagePath ?? null, databaseLinks, isAgain };
  });
}

/** One that was interrupted may come back after a later one is served: nobody wants it any more. */
async function isTooLate(tx: Tx, { id, environment_id }: DeploymentRow): Promise<boolean> {
  if (!isOvertaken(await readHistory(tx, environment_id), id)) return false;
  await endDeployment(tx, id, { status: 'cancelled', error: SUPERSEDED });
  await tellEnvironment(tx, { id, environment_id }, news.buildStopped(SUPERSEDED));
  await refreshStatuses(tx, environment_id);
  return true;
}

/** Writes what the build finds out; fails when the job is another worker's by now. */
export function noteProgress(db: Db, { deploymentId, applicationId, context }: Step & { applicationId: string }) {
  const write = (change: (tx: Tx) => Promise<unknown>): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await change(tx);
      if (!(await holdJob(tx, context))) throw new JobStopped('lost');
    });
  return {
    stage: (stage: DeploymentStage) => write((tx) => updateDeployment(tx, deploymentId, { stage })),
    commit: ({ sha, message }: { sha: string; message: string }) =>
      write((tx) => noteCommit(tx, deploymentId, { sha, message: storable(message) })),
    plan: (plan: Plan) =>
      write(async (tx) => {
        const { language, runtime } = plan;
        await noteDetected(tx, applicationId, { framework: plan.framework ?? language, runtime });
        await updateDeployment(tx, deploymentId, { plan: JSON.stringify(plan, storableValue) });
      }),
  };
}

/**
 * One that was interrupted may find its branch at another commit, of which the repository's host was told nothing yet;
 * and the one that it began with must not wait for it for ever.
 */
async function noteCommit(tx: Tx, deploymentId: string, { sha, message }: { sha: string; message: string }) {
  const before = await holdDeployment(tx, deploymentId);
  const left = before?.commit_sha === sha ? null : (before?.commit_sha ?? null);
  const change = { commit_sha: sha, commit_message: message };
  await updateDeployment(tx, deploymentId, left === null ? change : { ...change, told_state: null });
  await enqueueStatus(tx, { deploymentId });
  if (left !== null) await enqueueStatus(tx, { deploymentId, left });
}

/** What a build leaves to the release. */
export interface Handed {
  artifactId: string;
  /** How its instances are run; null where it is static. */
  run: RunSpec | null;
  /** Sealed: what its instances find in their environment; null where there is nothing. */
  variables: string | null;
  /** Which databases' addresses its instances find there besides. */
  databaseLinks: DatabaseLinks;
}

/** The artifact is there: from here on it is the release's. A cancel that came in time still counts. */
export function handOver(db: Db, { deploymentId, context, ...handed }: Step & Handed): Promise<void> {
  return changeOurs(db, { deploymentId, context }, async (tx, row, isCancelRequested) => {
    if (isCancelRequested) {
      await endDeployment(tx, row.id, { status: 'cancelled' });
      await tellEnvironment(tx, row, news.buildStopped(row.error ?? 'Cancelled.'));
      return;
    }
    await tellEnvironment(tx, row, news.buildSucceeded(row));
    const job_id = await enqueueRelease(tx, row);
    const { artifactId: artifact_id, run, variables, databaseLinks } = handed;
    const moved = { status: 'deploying', stage: firstReleaseStage({ run }), error: null, job_id } as const;
    await updateDeployment(tx, row.id, {
      ...moved,
      artifact_id,
      run: run && JSON.stringify(run, storableValue),
      variables,
      database_links: JSON.stringify(databaseLinks),
    });
  });
}

export function failBuild(db: Db, { deploymentId, message, context }: Step & { message: string }): Promise<void> {
  return changeOurs(db, { deploymentId, context }, async (tx, row) => {
    await endDeployment(tx, row.id, { status: 'failed', error: storable(message) });
    await tellEnvironment(tx, row, news.buildFailed(message));
    await enqueueRetain(tx, row.environment_id);
  });
}

/** The job ended without the build's having come to an end of its own. */
export async function endBuild(tx: Tx, deploymentId: string, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const row = await findDeployment(tx, deploymentId);
  if (!row || !(await holdEnvironment(tx, row.environment_id))) return;
  const latest = await findDeployment(tx, deploymentId);
  if (!latest || !isMoving(latest) || latest.job_id !== end.jobId) return;
  const isCancelled = end.state === 'cancelled';
  const error = isCancelled ? (latest.error ?? 'Cancelled.') : whyUnfinished(deploymentId, end.deaths);
  await endDeployment(tx, deploymentId, { status: end.state, error });
  await appendLines(tx, deploymentId, [`==> ${error}`]);
  await tellEnvironment(tx, latest, isCancelled ? news.buildStopped(error) : news.buildFailed(error));
  await refreshStatuses(tx, latest.environment_id);
}

function whyUnfinished(deploymentId: string, deaths: number): string {
  const operator = `the operator finds out why with "lilac admin errors ${deploymentId}".`;
  return deaths >= BUILD_ATTEMPTS
    ? `The platform's worker ended ${deaths} times while it built this; it is not tried again by itself. That need not be ` +
        `the project's fault: deploy again. If it ends so again, ${operator}`
    : `The platform could not finish this build in ${BUILD_ATTEMPTS} attempts. That is not the project's fault: ` +
        `deploy again. If it fails again, ${operator}`;
}

async function changeOurs(
  db: Db,
  step: Step,
  change: (tx: Tx, row: DeploymentRow, isCancelRequested: boolean) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await findDeployment(tx, step.deploymentId);
    if (!row || !(await holdEnvironment(tx, row.environment_id))) return;
    const ours = await findOurs(tx, step);
    if (!ours) return;
    await change(tx, ours, ours.isCancelRequested);
    await refreshStatuses(tx, ours.environment_id);
  });
}

/** The deployment, if it still moves and this very attempt moves it. */
async function findOurs(
  tx: Tx,
  { deploymentId, context }: Step,
): Promise<(DeploymentRow & { isCancelRequested: boolean }) | null> {
  const row = await holdDeployment(tx, deploymentId);
  if (!row || !isMoving(row) || row.job_id !== context.jobId) return null;
  const job = await holdJob(tx, context);
  if (!job) throw new JobStopped('lost');
  return { ...row, ...job };
}
