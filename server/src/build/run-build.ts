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
import { installPackages } from './install-packages.ts';
import type { Plan } from './plan.ts';
import { runStep, shellArgv, type StepContext } from './run-step.ts';
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
}

/** Installs the packages and runs the build command, in the sandbox. */
export async function runBuild(options: RunBuildOptions): Promise<void> {
  const { config, sandbox, request, hooks, plan, workspace, caches, signal } = options;
  // Tools that are fetched first belong to what they are fetched for.
  await hooks.onStage(plan.installCommand === null ? 'building' : 'installing');
  const isolation = await sandbox.isolation();
  warn(options, isolation);
  await using _store = await holdStore({ root: pathsOf(config).buildCaches, ...request, uid: workspace.uid });
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
  await using _held = await holdCaches(caches);
  const laidOut = await install(options, { context, isolation, toolchain, environment });
  await build(options, { context, isolation, laidOut, environment });
}

interface Prepared {
  context: StepContext;
  isolation: Isolation;
  environment: EnvironmentInputs;
}

async function install(options: RunBuildOptions, prepared: Prepared & { toolchain: Toolchain }): Promise<LaidOut> {
  const { request, plan, workspace, caches } = options;
  if (plan.installCommand === null) return nothingLaidOut(workspace);
  const { context, isolation, environment, toolchain } = prepared;
  const env = installEnvironment(environment);
  const { variables } = request;
  const { installed } = caches;
  const { fingerprint } = toolchain;
  return installPackages({ plan, workspace, isolation, context, env, variables, fingerprint, installed });
}

async function build(options: RunBuildOptions, prepared: Prepared & { laidOut: LaidOut }): Promise<void> {
  const { hooks, plan, workspace, caches } = options;
  const { context, isolation, environment, laidOut } = prepared;
  if (plan.buildCommand === null) return;
  if (plan.installCommand !== null) await hooks.onStage('building');
  await requirePlaces(workspace, laidOut);
  const kept: FrameworkCaches = {
    folder: caches.frameworks,
    paths: plan.cacheFolders.map((folder) => join(plan.rootDirectory, folder)),
    realPath: (path) => laidOut.realPath(path),
    workspace: workspace.root,
    uid: isolation.isRoot ? workspace.uid : null,
  };
  await takeFrameworkCaches(kept);
  const command = plan.buildCommand;
  const cwd = join(inner.source, plan.rootDirectory);
  const mounts = [...context.mounts, ...laidOut.mounts];
  const env = buildEnvironment(environment);
  await runStep({ ...context, mounts }, { name: 'build', argv: shellArgv(command), command, cwd, env });
  await keepFrameworkCaches(kept);
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
