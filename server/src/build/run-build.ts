import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import { lock } from '../lib/file-lock.ts';
import type { Isolation, Sandbox } from '../sandbox/sandbox.ts';
import { buildEnvironment, installEnvironment, protectedNames, type EnvironmentInputs } from './build-environment.ts';
import { buildMounts } from './build-mounts.ts';
import type { BuildHooks, BuildRequest } from './builder.ts';
import type { CacheFolders } from './cache/cache-folders.ts';
import { keepFrameworkCaches, takeFrameworkCaches, type FrameworkCaches } from './cache/framework-caches.ts';
import { holdStore } from './cache/hold-store.ts';
import { nothingLaidOut, requirePlaces, type LaidOut } from './cache/lay-out-trees.ts';
import { inner } from './inner-paths.ts';
import { installPackages, nothingToKeep, type Installed } from './install-packages.ts';
import type { Plan } from './plan.ts';
import { runStep, shellArgv, type StepContext } from './run-step.ts';
import { makeVirtualEnvironment } from './make-virtual-environment.ts';
import { prepareToolchain, type Toolchain } from './toolchain/prepare-toolchain.ts';
import type { Workspace } from './workspace.ts';

export interface RunBuildOptions {
  config: Config;
  sandbox: Sandbox;
  request: BuildRequest;
  hooks: BuildHooks;
  plan: Plan;
  workspace: Workspace;
  caches: CacheFolders;
  signal: AbortSignal;
  /** Takes what need not be done before the deployment goes on. */
  afterwards(work: () => Promise<void>): void;
}

export interface BuiltTree {
  /** Steps of this one see what the build saw. */
  context: StepContext;
  toolchain: Toolchain;
}

/**
 * Installs the packages and runs the build command, in the sandbox. `useBuilt` gets what was built while packages
 * are still laid over it and caches lie in their places.
 */
export async function runBuild<T>(options: RunBuildOptions, useBuilt: (built: BuiltTree) => Promise<T>): Promise<T> {
  const { config, sandbox, request, hooks, plan, workspace, caches, signal } = options;
  // Tools that are fetched first belong to what they are fetched for.
  await hooks.onStage(plan.installCommand === null ? 'building' : 'installing');
  const isolation = await sandbox.isolation();
  warn(options, isolation);
  await using held = new AsyncDisposableStack();
  held.use(await holdStore({ root: pathsOf(config).buildCaches, ...request, uid: workspace.uid }));
  const toolchain = await prepareToolchain(plan, { config, signal });
  hooks.onLine(`Using ${toolchain.summary}`);
  await workspace.handOver();
  const { hostVariables, memoryMb } = config.builds;
  const context: StepContext = {
    sandbox,
    deploymentId: request.deploymentId,
    uid: workspace.uid,
    mounts: await buildMounts({ workspace, store: caches.store, toolMounts: toolchain.mounts, hostVariables }),
    filled: [workspace.root, caches.store],
    limits: config.builds,
    signal,
    onLine: (line) => hooks.onLine(line),
  };
  const environment = { plan, toolchain, hostVariables, variables: request.variables, memoryMb };
  held.use(await holdCaches(caches));
  const prepared = { context, isolation, toolchain, environment };
  const { laidOut, keep } = await install(options, prepared);
  const stillHeld = held.move();
  options.afterwards(async () => {
    await using _held = stillHeld;
    await keep();
  });
  return await build(options, { ...prepared, laidOut }, useBuilt);
}

interface Prepared {
  context: StepContext;
  isolation: Isolation;
  toolchain: Toolchain;
  environment: EnvironmentInputs;
}

async function install(options: RunBuildOptions, prepared: Prepared): Promise<Installed> {
  const { request, plan, workspace, caches } = options;
  const { context, isolation, environment, toolchain } = prepared;
  const env = installEnvironment(environment);
  await makeVirtualEnvironment(context, { plan, toolchain, env });
  if (plan.installCommand === null) return nothingToKeep(nothingLaidOut(workspace));
  const { variables } = request;
  const { installed } = caches;
  const { fingerprint } = toolchain;
  return installPackages({ plan, workspace, isolation, context, env, variables, fingerprint, installed });
}

async function build<T>(
  options: RunBuildOptions,
  prepared: Prepared & { laidOut: LaidOut },
  useBuilt: (built: BuiltTree) => Promise<T>,
): Promise<T> {
  const { hooks, plan, workspace } = options;
  const { context, environment, laidOut, toolchain } = prepared;
  const steps = { ...context, mounts: [...context.mounts, ...laidOut.mounts] };
  const kept = frameworkCaches(options, prepared);
  if (plan.buildCommand !== null) {
    if (plan.installCommand !== null) await hooks.onStage('building');
    await requirePlaces(workspace, laidOut);
    await takeFrameworkCaches(kept);
    const command = plan.buildCommand;
    const cwd = join(inner.source, plan.rootDirectory);
    await runStep(steps, { name: 'build', argv: shellArgv(command), command, cwd, env: buildEnvironment(environment) });
  }
  // Of a site nothing is mounted any more.
  if (plan.deploymentType === 'container') await requirePlaces(workspace, laidOut);
  const used = await useBuilt({ context: steps, toolchain });
  if (plan.buildCommand !== null) await keepFrameworkCaches(kept);
  return used;
}

function frameworkCaches(
  { plan, caches, workspace }: RunBuildOptions,
  { isolation, laidOut }: Prepared & { laidOut: LaidOut },
): FrameworkCaches {
  return {
    folder: caches.frameworks,
    paths: plan.cacheFolders.map((folder) => join(plan.rootDirectory, folder)),
    realPath: (path) => laidOut.realPath(path),
    workspace: workspace.root,
    uid: isolation.isRoot ? workspace.uid : null,
  };
}

function warn({ request, hooks }: RunBuildOptions, { lacking }: Isolation): void {
  for (const lack of lacking) hooks.onLine(`Warning: ${lack}`);
  for (const name of protectedNames.filter((candidate) => candidate in request.variables)) {
    hooks.onLine(`The variable ${name} is the platform's own during a build; the environment's value is not used.`);
  }
}

const CACHE_LOCK_MS = 60_000;

/** While a build uses them, nobody evicts them; and two builds of an environment never use them at once. */
async function holdCaches({ environment }: CacheFolders): Promise<AsyncDisposable> {
  await mkdir(environment, { recursive: true, mode: 0o755 });
  const unlock = await lock(join(environment, 'lock'), CACHE_LOCK_MS);
  return { [Symbol.asyncDispose]: async () => unlock() };
}
