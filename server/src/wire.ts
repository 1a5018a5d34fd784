import type { FastifyInstance } from 'fastify';
import { listUnknownArtifacts } from './artifacts/artifact-store.ts';
import { compressArtifact } from './artifacts/compress-artifact.ts';
import { removeArtifacts } from './artifacts/remove-artifacts.ts';
import { sweepArtifacts } from './artifacts/sweep-artifacts.ts';
import { BuildFailed } from './build/builder.ts';
import { createBuilder } from './build/create-builder.ts';
import { pathsOf, type Config } from './config.ts';
import type { Store } from './db/pool.ts';
import type { ApplicationRow } from './db/schema.ts';
import { createAccessStore } from './http/access-store.ts';
import { registerConsole } from './http/console/console-routes.ts';
import { createServer } from './http/create-server.ts';
import type { Handlers } from './http/handler.ts';
import { registerMcp } from './http/mcp/mcp-routes.ts';
import { createRateSharing } from './http/share-rates.ts';
import { registerMetrics } from './http/metrics-endpoint.ts';
import type { StreamTimes } from './http/serve-stream.ts';
import type { JobHandler, JobObserver } from './jobs/job.ts';
import type { Leadership, LeadName } from './jobs/leadership.ts';
import type { Leaderships } from './jobs/leaderships.ts';
import { purgeJobsHandler } from './jobs/purge-jobs.ts';
import type { Clock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { createAccessTokens } from './modules/accounts/access-token.ts';
import type { AccountsDeps } from './modules/accounts/accounts-deps.ts';
import { accountHandlers } from './modules/accounts/handlers.ts';
import { accountJobs } from './modules/accounts/jobs.ts';
import { sessionOfRefreshToken } from './modules/accounts/session-of-refresh-token.ts';
import { apiKeyHandlers, type ApiKeysDeps } from './modules/api-keys/handlers.ts';
import { createLastUsed } from './modules/api-keys/last-used.ts';
import { activityJobs } from './modules/activity/jobs.ts';
import { applicationHandlers } from './modules/applications/handlers.ts';
import { isEnabled } from './modules/catalogue/feature-flags.ts';
import { catalogueHandlers } from './modules/catalogue/handlers.ts';
import type { Engines } from './modules/databases/databases-deps.ts';
import { databaseHandlers } from './modules/databases/all-handlers.ts';
import { deploymentHandlers } from './modules/deployments/handlers.ts';
import type { DomainParts } from './modules/domains/domains-deps.ts';
import type { DatabaseKeeper } from './modules/databases/keeper/create-database-keeper.ts';
import { deploymentJobs } from './modules/deployments/jobs.ts';
import { sweepBuilds } from './modules/deployments/sweep-builds.ts';
import { domainHandlers } from './modules/domains/handlers.ts';
import { domainJobs } from './modules/domains/jobs.ts';
import { environmentHandlers } from './modules/environments/handlers.ts';
import { environmentJobs } from './modules/environments/jobs.ts';
import { createFleet } from './modules/instances/create-fleet.ts';
import { endInstances } from './modules/instances/end-instances.ts';
import { watchLeftBehind, type LeftBehindWatch } from './modules/instances/end-left-behind.ts';
import type { Fleet } from './modules/instances/fleet.ts';
import { followHandlers } from './modules/logs/follow-handlers.ts';
import { logHandlers } from './modules/logs/handlers.ts';
import { logJobs } from './modules/logs/jobs.ts';
import type { FollowDeps } from './modules/logs/follow-logs.ts';
import { LogHub } from './modules/logs/log-hub.ts';
import { metricHandlers } from './modules/metrics/handlers.ts';
import { metricJobs } from './modules/metrics/jobs.ts';
import { createUsageRecorder } from './modules/metrics/record-usage.ts';
import { createCollector, type Collector } from './modules/logs/collect/collector.ts';
import { organisationHandlers } from './modules/organisations/handlers.ts';
import { platformJobs } from './modules/platform/jobs.ts';
import { createErrorKeeper } from './modules/platform/keep-errors.ts';
import { observeJobs } from './modules/platform/observe-jobs.ts';
import { renderMetrics } from './modules/platform/render-metrics.ts';
import { projectHandlers } from './modules/projects/handlers.ts';
import { repositoryHandlers } from './modules/repositories/handlers.ts';
import { uploadHandlers } from './modules/uploads/handlers.ts';
import { uploadJobs } from './modules/uploads/jobs.ts';
import { openRepositoryOf, type RepositoryOfDeps } from './modules/vcs/access/application-repository.ts';
import type { VcsHosts } from './modules/vcs/vcs-deps.ts';
import { vcsJobs } from './modules/vcs/webhooks/jobs.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { uploadOriginOf } from './objects/upload-origin.ts';
import { writeIsolation } from './runtime/isolation-file.ts';
import type { Keyring } from './secrets/keyring.ts';
import { platformSecret } from './secrets/platform-secrets-store.ts';
import { createGitSources } from './vcs/git/git-sources.ts';
import type { GitSources, Repository } from './vcs/git/repository.ts';
import { buildCertificateJobs, registerCertificateRoutes } from './wire/certificates.ts';
import { openDomains } from './wire/domains.ts';
import { buildDatabaseParts, createEngines } from './wire/databases.ts';
import { openKeeperWay } from './wire/keeper.ts';
import { openLeaderships, reachOf } from './wire/leaderships.ts';
import { openObjects } from './wire/objects.ts';
import { placeDoors } from './wire/place-doors.ts';
import { openRuntime } from './wire/runtime.ts';
import { openVcs, registerVcsRoutes, vcsHandlers, type VcsParts } from './wire/vcs.ts';

/** What a role brings; everything else is made here. */
export interface RoleDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  /** Those of the configuration, unless a test brings its own. */
  vcsHosts?: VcsHosts;
}

/** The implementations behind the seams. */
interface Seams extends VcsParts, DomainParts {
  objects: ObjectStore;
  gitSources: GitSources;
}

/** The api role, whole, but not yet listening. Closing it leaves the store open: that is its giver's. */
export async function buildApi(
  deps: RoleDeps & { streamTimes?: Partial<StreamTimes>; engines?: Engines },
): Promise<FastifyInstance> {
  const { config, store, clock, log } = deps;
  const [signingKey, consolePasswordKey, questionKey, seams] = await Promise.all([
    platformSecret(deps, 'access-token-signing'),
    platformSecret(deps, 'console-password'),
    platformSecret(deps, 'mcp-questions'),
    openSeams(deps),
  ]);
  const uploadOrigin = await uploadOriginOf(seams.objects, { ...config, clock });
  const accessTokens = createAccessTokens({ signingKey, clock });
  const lastUsed = createLastUsed({ db: store.db, clock, log });
  const logHub = new LogHub(deps);
  const engines = deps.engines ?? createEngines(deps).engines;
  const errors = createErrorKeeper({ db: store.db, log, role: 'api' });
  // A store that is this machine's alone has one api.
  const rates = config.databaseUrl === null ? null : createRateSharing({ db: store.db });
  const app = createServer({
    config,
    clock,
    log,
    keepError: (error) => errors.keep(error),
    handlers: handlersOf({ ...deps, ...seams, engines, accessTokens, consolePasswordKey, lastUsed, logHub }),
    accessTokens,
    streamTimes: deps.streamTimes ?? {},
    shareRates: rates?.share,
    keeper: openKeeperWay(deps),
    sessionOfRefreshToken: (token) => sessionOfRefreshToken(deps, token),
    access: createAccessStore(store.pool),
    noteKeyUse: (keyId) => lastUsed.touch(keyId),
    isFeatureOn: (flag) => isEnabled(config, flag),
  });
  registerMetrics(app, { token: config.metricsToken, render: () => renderMetrics(store.db) });
  registerMcp(app, { ...deps, questionKey, uploadOrigin });
  registerVcsRoutes(app, { ...deps, ...seams });
  registerCertificateRoutes(app, deps);
  await registerConsole(app, { config, clock, consolePasswordKey, uploadOrigin });
  app.addHook('onClose', () => Promise.all([lastUsed.close(), logHub.close(), errors.close(), rates?.close()]));
  return app;
}

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
  const fleet = createFleet({ ...deps, runtime, leadership, onUsage: (instances) => usage.note(instances) });
  const errors = createErrorKeeper({ db: deps.store.db, log: deps.log, role: 'worker' });
  const all = { ...deps, ...seams, builder, fleet };
  const databases = await buildDatabaseParts({ ...all, runtime, leadership: leaderships.of('databases') });
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
      running.close();
      await Promise.all([errors.close(), usage.close()]);
    },
  };
}

async function openSeams(deps: RoleDeps): Promise<Seams> {
  const { config, log } = deps;
  const paths = pathsOf(config);
  const [objects, vcs, domains] = await Promise.all([
    openObjects(deps),
    openVcs(deps, deps.vcsHosts),
    openDomains(deps),
  ]);
  return {
    ...vcs,
    ...domains,
    objects,
    gitSources: createGitSources({ config, root: paths.repositories, log }),
  };
}

async function repositoryOf(deps: RepositoryOfDeps, application: ApplicationRow): Promise<Repository> {
  const repository = await openRepositoryOf(deps, application);
  if (!repository) throw new BuildFailed('The application has no repository. Upload an archive to deploy it.');
  return repository;
}

/** Every endpoint of the contract has a handler here, or this does not compile. */
function handlersOf(deps: RoleDeps & Seams & AccountsDeps & ApiKeysDeps & FollowDeps & { engines: Engines }): Handlers {
  return {
    ...catalogueHandlers(deps),
    ...accountHandlers(deps),
    ...organisationHandlers(deps),
    ...apiKeyHandlers(deps),
    ...projectHandlers(deps),
    ...applicationHandlers(deps),
    ...repositoryHandlers(deps),
    ...environmentHandlers(deps),
    ...domainHandlers(deps),
    ...metricHandlers(deps),
    ...followHandlers(deps),
    ...logHandlers(deps),
    ...deploymentHandlers(deps),
    ...databaseHandlers(deps),
    ...uploadHandlers(deps),
    ...vcsHandlers(deps),
  };
}
