import { handleJob, takenByLeader, type JobContext, type JobHandler } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/schedule.ts';
import { buildDeployment, type BuildDeps } from './build-deployment.ts';
import { endBuild } from './build-progress.ts';
import { compressRelease, type CompressDeps } from './compress-release.ts';
import { endStuckDeployments } from './end-stuck-deployments.ts';
import { buildJob, compressJob, releaseJob, retainJob, sweepJob, watchJob, type OfDeployment } from './job-kinds.ts';
import { logStep } from './log-step.ts';
import { endRelease, releaseDeployment, type ReleaseDeps } from './release-deployment.ts';
import { retainDeployments, type RetainDeps } from './retain-deployments.ts';
import { sweepStored, type SweepDeps } from './sweep-builds.ts';

export type DeploymentJobsDeps = BuildDeps & ReleaseDeps & SweepDeps & CompressDeps & RetainDeps;

const MINUTE_MS = 60_000;
const WATCH_MS = 15_000;
const SWEEP_MS = 60 * MINUTE_MS;
const soon = { firstMs: 500, maxMs: 10_000 };

/** What the worker does for deployments. */
export function deploymentJobs(deps: DeploymentJobsDeps): JobHandler[] {
  const { concurrency, perOrganisation, timeoutMinutes } = deps.config.builds;
  return [
    ...takenByLeader('instances', releaseJobs(deps)),
    handleJob(buildJob, (subject, context) => build(deps, subject, context), {
      limits: { perWorker: concurrency, perGroup: perOrganisation },
      timeoutMs: timeoutMinutes * MINUTE_MS,
      backoff: soon,
      onEnd: (tx, { deploymentId }, end) => endBuild(tx, deploymentId, end),
    }),
    // One at a time: compressing takes all of a core.
    handleJob(compressJob, (subject, { signal }) => compressRelease(deps, subject, signal), {
      limits: { perWorker: 1, perGroup: 1 },
    }),
    handleJob(retainJob, ({ environmentId }) => retainDeployments(deps, environmentId)),
    // A start follows an end, which may have left something.
    periodicJob(sweepJob, { everyMs: SWEEP_MS, firstMs: MINUTE_MS }, () => sweepStored(deps)),
  ];
}

function releaseJobs(deps: ReleaseDeps & Pick<SweepDeps, 'log'>): JobHandler[] {
  return [
    handleJob(releaseJob, (subject, context) => release(deps, subject, context), {
      backoff: soon,
      onEnd: (tx, { deploymentId }, end) => endRelease(deps, tx, { deploymentId, end }),
    }),
    periodicJob(watchJob, WATCH_MS, () => endStuckDeployments(deps)),
  ];
}

function build(deps: BuildDeps, { deploymentId }: OfDeployment, context: JobContext): Promise<void> {
  return logStep('build', { deploymentId, context }, () => buildDeployment(deps, deploymentId, context));
}

function release(deps: ReleaseDeps, { deploymentId }: OfDeployment, context: JobContext): Promise<void> {
  return logStep('release', { deploymentId, context }, () => releaseDeployment(deps, deploymentId, context));
}
