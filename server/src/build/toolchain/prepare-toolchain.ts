import { join } from 'node:path';
import { coerce } from 'semver';
import { environmentForRoles, pathsOf, type Config } from '../../config.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { isShown } from '../../sandbox/system-view.ts';
import { SYSTEM_PATH } from '../build-environment.ts';
import { inner } from '../inner-paths.ts';
import type { Plan } from '../plan.ts';
import { chooseManagerPackage, chooseNodePackage, chooseNpmPackage } from './choose-tools.ts';
import { choosePython, findPythons } from './host-python.ts';
import { findHostTool, requireHostTool } from './host-tools.ts';
import { languageEnvironment, VIRTUAL_ENVIRONMENT } from './language-environment.ts';
import { isHostTool, isRegistryTool, toolsToBuild, type ToolName } from './needed-tools.ts';
import { installPypiPackage } from './pypi-package.ts';
import { createRegistry, nodePrefixOf, ownNode, packageOf, shownNpm, type Registry } from './registry-tools.ts';
import { toolOfHost, type HostTool, type Tool } from './tool.ts';

/** What a build's commands are run with. */
export interface Toolchain {
  tools: readonly Tool[];
  mounts: Mount[];
  searchPath: string[];
  nodePrefix: string;
  npmSettings: string | null;
  /** What the tools of the language want to find. */
  env: Readonly<Record<string, string>>;
  /** Names all versions: what was installed with others is not used. */
  fingerprint: string;
  /** For the log: `Node 22.23.3, pnpm 9.15.0`. */
  summary: string;
}

export interface ToolchainDeps {
  config: Config;
  signal: AbortSignal;
}

export async function prepareToolchain(plan: Plan, { config, signal }: ToolchainDeps): Promise<Toolchain> {
  const search = {
    config,
    signal,
    registry: createRegistry({ config, signal }),
    path: environmentForRoles(config).PATH,
  };
  const { required, welcome } = toolsToBuild(plan);
  const tools = await nodeTools(plan, search.registry);
  for (const name of required) {
    if (!tools.some((tool) => tool.name === name)) tools.push(await bring(name, plan, search));
  }
  for (const name of welcome.filter(isHostTool)) {
    const found = await findHostTool(name, search.path);
    if (found) tools.push(toolOfHost(found));
  }
  return assemble(plan, tools, search);
}

interface Search extends ToolchainDeps {
  registry: Registry;
  /** Where this machine's programs are. */
  path: string | undefined;
}

/** Node, npm and what else installs packages of JavaScript: every build may need them. */
async function nodeTools(plan: Plan, registry: Registry): Promise<Tool[]> {
  const machine = { running: process.versions.node, architecture: process.arch };
  const wanted = chooseNodePackage(plan.nodeVersion, machine);
  const node = wanted ? await registry.install('node', wanted) : ownNode();
  const nodeMajor = coerce(node.version)?.major ?? 24;
  const shown = shownNpm(registry.hostNpm);
  const npm = chooseNpmPackage(npmWish(plan), { nodeMajor, hostNpm: shown?.version ?? null });
  const tools = [node, ...(npm ? [await registry.install('npm', npm)] : shown ? [shown] : [])];
  if (!plan.packageManager || plan.packageManager.name === 'npm') return tools;
  const manager = chooseManagerPackage(plan.packageManager, { nodeMajor, architecture: process.arch });
  return [...tools, await registry.install(plan.packageManager.name, manager)];
}

function npmWish(plan: Plan): { version: string | null } {
  return { version: plan.packageManager?.name === 'npm' ? plan.packageManager.version : null };
}

async function bring(name: ToolName, plan: Plan, search: Search): Promise<Tool> {
  const { config, signal, path, registry } = search;
  if (name === 'python') return toolOfHost(await requirePython(plan, path));
  if (isHostTool(name)) return toolOfHost(await requireHostTool(name, path));
  if (isRegistryTool(name)) return registry.install(name, packageOf(name, 'latest', process.arch));
  const { hostVariables } = config.builds;
  const python = await requirePython(plan, path);
  return installPypiPackage(name, { root: pathsOf(config).toolchains, python, hostVariables, signal });
}

async function requirePython(plan: Plan, path: string | undefined): Promise<HostTool> {
  await requireHostTool('python', path);
  return choosePython(await findPythons(path), plan.languageVersion ?? null);
}

function assemble(plan: Plan, tools: readonly Tool[], { config, registry }: Search): Toolchain {
  const root = join(inner.source, plan.rootDirectory);
  const { hostVariables } = config.builds;
  const settings = registry.hostNpm?.settings;
  const versions = tools.map(({ title, version }) => `${title} ${version}`);
  const hasPython = tools.some(({ name }) => name === 'python');
  const own = tools.toReversed().flatMap(({ searchPath }) => searchPath);
  return {
    tools,
    mounts: tools.flatMap(({ mounts }) => mounts),
    // The package manager before npm before Node, which may bring an npm of its own; the system's own come last anyway.
    searchPath: [
      ...(hasPython ? [join(root, VIRTUAL_ENVIRONMENT, 'bin')] : []),
      ...new Set(own.filter((folder) => !SYSTEM_PATH.includes(folder))),
    ],
    nodePrefix: nodePrefixOf(tools[0] ?? ownNode()),
    npmSettings: settings && isShown(settings) ? settings : null,
    env: languageEnvironment({ tools, root, hostVariables }),
    fingerprint: [process.arch, inner.source, ...versions].join(' '),
    summary: versions.join(', '),
  };
}
