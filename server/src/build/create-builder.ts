import { PackRefused } from '../artifacts/pack-refused.ts';
import { packStatic } from '../artifacts/pack-static.ts';
import { pathsOf, type Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { tryEach } from '../lib/try-each.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { createSandbox } from '../sandbox/create-sandbox.ts';
import { SandboxUnavailable, type Sandbox } from '../sandbox/sandbox.ts';
import { cutLine } from '../sandbox/split-lines.ts';
import { openFolderTree } from '../source/folder-tree.ts';
import type { GitSources } from '../vcs/git/repository.ts';
import { buildServer, requireServer, type ServerPlan } from './build-server.ts';
import { BuildFailed, type BuildHooks, type BuildRequest, type Builder, type BuiltArtifact } from './builder.ts';
import { cacheFoldersOf, environmentFolder } from './cache/cache-folders.ts';
import { discard, evictAfterBuild, evictCaches } from './cache/evict-caches.ts';
import { detectApart } from './detect/detect-apart.ts';
import { fetchSource } from './fetch-source.ts';
import { findOutput } from './find-output.ts';
import { hostSecrets } from './host-secrets.ts';
import { buildImage, isOfDockerfile } from './image/build-image.ts';
import type { ImageMaker } from './image/image-maker.ts';
import { namedByContent } from './named-by-content.ts';
import { PlanRefused, type Plan } from './plan.ts';
import { prepareRedactor, redactError, type Redact } from './redact.ts';
import { removeInstalled } from './remove-installed.ts';
import { runBuild, type RunBuildOptions } from './run-build.ts';
import { tookTooLong } from './run-step.ts';
import { evictToolchains } from './toolchain/evict-toolchains.ts';
import { openWorkspace, sweepWorkspaces } from './workspace.ts';

export interface BuilderDeps {
  config: Config;
  objects: ObjectStore;
  gitSources: GitSources;
  store: Pick<Store, 'db'>;
  log: Log;
  sandbox?: Sandbox;
  /** What builds Dockerfiles; null where the platform has no engine for that. */
  images?: ImageMaker | null;
  /** What a built server may have unpacked. */
  maxSlugBytes?: number;
}

export function createBuilder(deps: BuilderDeps): Builder {
  const { config, log } = deps;
  const root = pathsOf(config).buildCaches;
  const sandbox = deps.sandbox ?? createSandbox({ config, log });
  const keepSmall = createEvictor(deps);
  return {
    async build(request, hooks) {
      const redact = await redactorFor(config, request);
      const later = workForLater((error) => log.warn({ err: error }, 'what a build installed cannot be kept'));
      try {
        return await build({ ...deps, sandbox, afterwards: later.add }, request, withoutSecrets(hooks, redact));
      } catch (error) {
        throw redactError(error, redact);
      } finally {
        void later.run().then(() => keepSmall(request));
      }
    },
    async sweep() {
      const sweeps = [
        () => sandbox.sweep(),
        () => sweepWorkspaces(config),
        () => evictCaches(root),
        () => evictTools(config),
      ];
      await tryEach(sweeps, (sweep) => sweep());
    },
    forgetEnvironment: (environmentId) => discard(root, environmentFolder(root, environmentId)),
  };
}

const EVICT_EVERY_MS = 10 * 60_000;

/** Nobody waits for it; builds that run meanwhile hold what they use. */
function createEvictor({ config, log }: BuilderDeps): (request: BuildRequest) => void {
  const { buildCaches: root } = pathsOf(config);
  let last = Date.now();
  return (request) => {
    const isDue = Date.now() - last >= EVICT_EVERY_MS;
    if (isDue) last = Date.now();
    const evicted = isDue ? evictCaches(root).then(() => evictTools(config)) : evictAfterBuild(root, request);
    evicted.catch((error: unknown) => log.warn({ err: error }, 'caches of builds cannot be evicted'));
  };
}

function evictTools(config: Config): Promise<void> {
  return evictToolchains(pathsOf(config).toolchains, { buildMs: config.builds.timeoutMinutes * 60_000 });
}

type BuildDeps = BuilderDeps & { sandbox: Sandbox } & Pick<RunBuildOptions, 'afterwards'>;

async function build(deps: BuildDeps, request: BuildRequest, hooks: BuildHooks): Promise<BuiltArtifact> {
  const { timeoutMinutes } = deps.config.builds;
  const overdue = AbortSignal.timeout(timeoutMinutes * 60_000);
  const signal = AbortSignal.any([hooks.signal, overdue]);
  try {
    return await takeSteps(deps, { request, hooks, signal });
  } catch (error) {
    hooks.signal.throwIfAborted();
    if (overdue.aborted) throw tookTooLong(timeoutMinutes);
    throw isProjectsFault(error) ? new BuildFailed(error.message, { cause: error }) : error;
  }
}

function isProjectsFault(error: unknown): error is Error {
  return error instanceof PlanRefused || error instanceof PackRefused || error instanceof SandboxUnavailable;
}

interface Running {
  request: BuildRequest;
  hooks: BuildHooks;
  signal: AbortSignal;
}

async function takeSteps(deps: BuildDeps, { request, hooks, signal }: Running): Promise<BuiltArtifact> {
  const { config, log, afterwards } = deps;
  await using workspace = await openWorkspace({ config, log, ...request });
  await hooks.onStage('fetching');
  await fetchSource(deps, { source: request.source, folder: workspace.source, signal, hooks });
  await hooks.onStage('detecting');
  const plan = await detect(workspace.source, request, { hooks, hasImages: !!deps.images });
  const caches = cacheFoldersOf(pathsOf(config).buildCaches, request);
  const options = {
    config,
    sandbox: deps.sandbox,
    request,
    hooks,
    plan,
    workspace,
    caches,
    signal,
    afterwards,
  };
  if (deps.images && isOfDockerfile(plan)) return await buildImage(deps, { ...options, images: deps.images });
  await removeInstalled(workspace.source, plan, (line) => hooks.onLine(line));
  if (isServer(plan)) return await buildServer(deps, { ...options, plan });
  if (plan.installCommand !== null || plan.buildCommand !== null) await runBuild(options, async () => {});
  signal.throwIfAborted();
  await hooks.onStage('packaging');
  return await packSite(deps, { request, hooks, signal, plan, source: workspace.source });
}

/** What nobody waits for when a build has ended, whichever way. */
function workForLater(onError: (error: unknown) => void) {
  const works: (() => Promise<void>)[] = [];
  return {
    add: (work: () => Promise<void>) => void works.push(work),
    run: async () => {
      for (const work of works) await work().catch(onError);
    },
  };
}

const isServer = (plan: Plan): plan is ServerPlan => plan.deploymentType === 'container';

async function packSite(deps: BuildDeps, built: Running & { plan: Plan; source: string }): Promise<BuiltArtifact> {
  const { request, hooks, signal, plan, source } = built;
  const isChosen = request.settings.outputDirectory !== null;
  const onLine = (line: string) => hooks.onLine(line);
  const folder = await findOutput({ source, plan, isChosen, onLine });
  const { organisationId, environmentId } = request;
  const artifactId = newId('art');
  const { isSinglePage } = plan;
  const isNamedByContent = namedByContent(source, plan);
  const packed = { artifactId, organisationId, environmentId, folder, isSinglePage, isNamedByContent, signal, onLine };
  return { artifactId, run: null, ...(await packStatic(deps, packed)) };
}

async function detect(
  source: string,
  request: BuildRequest,
  { hooks, hasImages }: { hooks: BuildHooks; hasImages: boolean },
): Promise<Plan> {
  const plan = await detectApart(openFolderTree(source), request.settings, { owner: request.organisationId });
  await hooks.onPlan(plan);
  hooks.onLine(whatWasFound(plan));
  for (const note of plan.notes) hooks.onLine(note);
  if (hasImages && isOfDockerfile(plan)) return plan;
  if (plan.deploymentType === 'container') requireServer(plan, request.settings);
  return plan;
}

function whatWasFound({ framework, language, rootDirectory }: Plan): string {
  const kind = framework ?? (language === 'static' ? 'a folder of HTML' : `a project of ${language}`);
  return rootDirectory === '' ? `Found ${kind}` : `Found ${kind} in ${rootDirectory}`;
}

function redactorFor({ builds }: Config, { variables }: BuildRequest): Promise<Redact> {
  return prepareRedactor({ ...variables, ...hostSecrets(builds.hostVariables) });
}

/** No line leaves with the value of a variable in it. */
function withoutSecrets(hooks: BuildHooks, redact: Redact): BuildHooks {
  return {
    onStage: (stage) => hooks.onStage(stage),
    onCommit: (commit) => hooks.onCommit(commit),
    onPlan: (plan) => hooks.onPlan(plan),
    onLine(line) {
      const read = async () => cutLine(await redact.inSlices(line));
      if (hooks.onUnread) hooks.onUnread({ bytes: Buffer.byteLength(line), read });
      else hooks.onLine(cutLine(redact(line)));
    },
    signal: hooks.signal,
  };
}
