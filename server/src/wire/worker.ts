import { listUnknownArtifacts } from '../artifacts/artifact-store.ts';
import { compressArtifact } from '../artifacts/compress-artifact.ts';
import { removeArtifacts } from '../artifacts/remove-artifacts.ts';
import { sweepArtifacts } from '../artifacts/sweep-artifacts.ts';
import { BuildFailed } from '../build/builder.ts';
import { createBuilder } from '../build/create-builder.ts';
import type { ApplicationRow } from '../db/schema.ts';
import type { JobHandler, JobObserver } from '../jobs/job.ts';
import type { Leadership, LeadName } from '../jobs/leadership.ts';
import type { Leaderships } from '../jobs/leaderships.ts';
import { purgeJobsHandler } from '../jobs/purge-jobs.ts';
import { accountJobs } from '../modules/accounts/jobs.ts';
import { activityJobs } from '../modules/activity/jobs.ts';
import { DATABASE_CHANNEL } from '../modules/databases/database-store.ts';
import type { DatabaseKeeper } from '../modules/databases/keeper/create-database-keeper.ts';
import { deploymentJobs } from '../modules/deployments/jobs.ts';
import { sweepBuilds } from '../modules/deployments/sweep-builds.ts';
import { domainJobs } from '../modules/domains/jobs.ts';
import { environmentJobs } from '../modules/environments/jobs.ts';
import { createFleet, FLEET_CHANNELS } from '../modules/instances/create-fleet.ts';
import { endInstances } from '../modules/instances/end-instances.ts';
import { watchLeftBehind, type LeftBehindWatch } from '../modules/instances/end-left-behind.ts';
import type { Fleet } from '../modules/instances/fleet.ts';
import { logJobs } from '../modules/logs/jobs.ts';
import { metricJobs } from '../modules/metrics/jobs.ts';
import { createUsageRecorder } from '../modules/metrics/record-usage.ts';
import { createCollector, type Collector } from '../modules/logs/collect/collector.ts';
import { platformJobs } from '../modules/platform/jobs.ts';
import { createErrorKeeper } from '../modules/platform/keep-errors.ts';
import { observeJobs } from '../modules/platform/observe-jobs.ts';
import { uploadJobs } from '../modules/uploads/jobs.ts';
import { openRepositoryOf, type RepositoryOfDeps } from '../modules/vcs/access/application-repository.ts';
import { vcsJobs } from '../modules/vcs/webhooks/jobs.ts';
import { createChannelHub } from '../routing/channel-hub.ts';
import { MACHINES_CHANNEL } from '../routing/machine-store.ts';
import { writeIsolation } from '../runtime/isolation-file.ts';
import type { Repository } from '../vcs/git/repository.ts';
import { buildCertificateJobs } from './certificates.ts';
import { buildDatabaseParts } from './databases.ts';
import { openLeaderships, reachOf } from './leaderships.ts';
import { placeDoors } from './place-doors.ts';
import { openRuntime } from './runtime.ts';
import { openSeams, type RoleDeps } from './seams.ts';

export interface WorkerDeps extends RoleDeps {
  /** Which of all workers this is: one on each host. */
  host: string;
  /** From now on this worker leads it, and does not any more: then this process must end at once. */
  onLead: (name: LeadName) => void;
  onLeadLost: (name: LeadName) => void;
}

export interface WorkerParts {
  handlers: JobHandler[];
  /** Writes down what jobs fail of. */
  observer: JobObserver;
  /** Ends and removes what a killed worker left on this machine; before the first job is taken. */
  sweep(): Promise<void>;
  /** What of the following this worker does: of all workers, one does it. */
  leaderships: Leaderships;
  /** Keeps the instances of applications. To be started by who leads them. */
  fleet: Pick<Fleet, 'start' | 'stop'>;
  /** Keeps the servers of databases, which run on when it stops. To be started by who leads them. */
  databases: DatabaseKeeper;
  /** From here on this worker gives back what instances have written. Nobody else may. */
  boundOutputs(): void;
  /** Turns what instances write into logs. To be started as the fleet is, and stopped after the instances. */
  collector: Collector;
  /** Finds out how well applications are kept apart here, and writes it down for those who tell people. */
  noteIsolation(): Promise<void>;
  /** Stops every instance of this host, once no edge needs it: the whole platform stops. Those of a swarm run on. */
  endInstances(): Promise<void>;
  /** Ends what runs on this host though another one keeps the instances now; where there is none but this, nothing. */
  watchLeftBehind(): LeftBehindWatch;
  /** Writes down what is still to be written. */
  close(): Promise<void>;
}

export async function buildWorker(deps: WorkerDeps): Promise<WorkerParts> {
  const seams = await openSeams(deps);
  const { runtime, images, ...running } = await openRuntime({ ...deps, ...seams, leadership: () => leadership });
  const builder = createBuilder({ ...deps, ...seams, images: running.imageBuilder });
  const usage = createUsageRecorder(deps);
  const reach = reachOf(deps.config, running.kind);
  const leaderships = openLeaderships(deps, { reach, fitness: () => running.fitness() });
  const leadership: Leadership = leaderships.of('instances');
  const channels = createChannelHub(deps.store, [...FLEET_CHANNELS, DATABASE_CHANNEL, MACHINES_CHANNEL]);
  const fleet = createFleet({ ...deps, channels, runtime, leadership, onUsage: (instances) => usage.note(instances) });
  const errors = createErrorKeeper({ db: deps.store.db, log: deps.log, role: 'worker' });
  const all = { ...deps, ...seams, builder, fleet };
  const databases = await buildDatabaseParts({
    ...all,
    channels,
    runtime,
    leadership: leaderships.of('databases'),
  });
  const artifacts = {
    compress: (artifactId: string, signal: AbortSignal) => compressArtifact(all, artifactId, { signal }),
    remove: (artifactIds: readonly string[]) =>
      removeArtifacts(all, artifactIds).then(() => images?.forget(artifactIds)),
    sweep: () => sweepArtifacts(all).then(() => images?.sweep((ids) => listUnknownArtifacts(deps.store.db, ids))),
  };
  return {
    handlers: [
      purgeJobsHandler(deps.store),
      ...accountJobs(all),
      ...uploadJobs(all),
      ...deploymentJobs({ ...all, artifacts, repositoryOf: (application) => repositoryOf(all, application) }),
      ...environmentJobs(all),
      ...domainJobs(all),
      ...buildCertificateJobs(deps),
      ...activityJobs(all),
      ...logJobs(all),
      ...metricJobs(all),
      ...platformJobs(all),
      ...databases.jobs,
      ...vcsJobs(all),
    ],
    observer: observeJobs(errors),
    sweep: () => sweepBuilds(all),
    leaderships,
    ...placeDoors(running.kind, { fleet, databases: databases.keeper, doors: databases.doors }),
    boundOutputs: () => running.boundOutputs(),
    collector: createCollector({ ...deps, runtime, ...(running.kind === 'swarm' && { leadership }) }),
    async noteIsolation() {
      const isolation = await runtime.isolation();
      for (const lack of isolation.lacking) deps.log.warn(lack);
      writeIsolation(deps.config, isolation);
    },
    async endInstances() {
      // Those of a swarm are the cluster's: they go on, as do its machines, until somebody leads them again.
      if (running.kind === 'swarm') return;
      await endInstances({ ...deps, runtime });
      await running.leave();
    },
    watchLeftBehind: () =>
      reach.instances === 'sole' || running.kind === 'swarm'
        ? { stop: () => {} }
        : watchLeftBehind({ ...deps, runtime }),
    async close() {
      await Promise.all([running.close(), errors.close(), usage.close()]);
    },
  };
}

async function repositoryOf(deps: RepositoryOfDeps, application: ApplicationRow): Promise<Repository> {
  const repository = await openRepositoryOf(deps, application);
  if (!repository) throw new BuildFailed('The application has no repository. Upload an archive to deploy it.');
  return repository;
}
