import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { coerce } from 'semver';
import { environmentForRoles, pathsOf, type Config } from '../../config.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { isShown } from '../../sandbox/system-view.ts';
import { SYSTEM_PATH } from '../build-environment.ts';
import { BuildFailed } from '../builder.ts';
import { inner } from '../inner-paths.ts';
import type { Plan } from '../plan.ts';
import { chooseManagerPackage, chooseNodePackage, chooseNpmPackage } from './choose-tools.ts';
import { findHostNpm, type HostNpm } from './host-npm.ts';
import { installRegistryPackage, type RegistryOptions, type RegistryPackage } from './registry-package.ts';

/** What a build's commands are run with. */
export interface Toolchain {
  mounts: Mount[];
  searchPath: string[];
  nodePrefix: string;
  npmSettings: string | null;
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
  const hostNpm = findHostNpm(environmentForRoles(config).PATH);
  const machine = { running: process.versions.node, architecture: process.arch };
  const wantedNode = chooseNodePackage(plan.nodeVersion, machine);
  const install = installer({ config, signal, hostNpm });
  const node = wantedNode ? await install(wantedNode) : ownNode();
  const nodeMajor = coerce(node.version)?.major ?? 24;
  const tools = [node];
  const npm = chooseNpmPackage(npmWish(plan), { nodeMajor, hostNpm: shownVersion(hostNpm) });
  if (npm) tools.push(await install(npm));
  if (plan.packageManager && plan.packageManager.name !== 'npm') {
    tools.push(await install(chooseManagerPackage(plan.packageManager, { nodeMajor, architecture: process.arch })));
  }
  return assemble(tools, hostNpm, npm === null);
}

interface Tool {
  title: string;
  version: string;
  /** A folder of this machine that the sandbox is to see; null where it sees it anyway. */
  folder: string | null;
  /** Below the folder, or absolute. */
  programs: string;
}

function assemble(tools: readonly Tool[], hostNpm: HostNpm | null, isHostNpmUsed: boolean): Toolchain {
  const placed = tools.map((tool, index) => ({ ...tool, at: `${inner.tools}/${index}` }));
  const versions = [
    ...tools.map(({ title, version }) => `${title} ${version}`),
    ...(isHostNpmUsed && hostNpm ? [`npm ${hostNpm.version}`] : []),
  ];
  const [node] = placed;
  const programsOf = ({ folder, at, programs }: (typeof placed)[number]) => (folder ? join(at, programs) : programs);
  return {
    mounts: placed.flatMap(({ folder, at }) =>
      folder ? [{ kind: 'folder' as const, from: folder, at, isWritable: false }] : [],
    ),
    // The package manager before npm before Node, which may bring an npm of its own.
    searchPath: placed.toReversed().map(programsOf),
    nodePrefix: dirname(node ? nodeFolder(programsOf(node)) : '/usr/bin'),
    npmSettings: hostNpm?.settings && isShown(hostNpm.settings) ? hostNpm.settings : null,
    fingerprint: [process.arch, ...versions].join(' '),
    summary: versions.join(', '),
  };
}

/** The node of the registry lies beside its headers, one package below. */
function nodeFolder(programs: string): string {
  return programs.endsWith('/node_modules/.bin') ? join(programs, '..', `node-linux-${process.arch}`, 'bin') : programs;
}

/** The Node this process runs on. */
function ownNode(): Tool {
  const program = realpathSync(process.execPath);
  const programs = dirname(program);
  return isShown(program)
    ? { title: 'Node', version: process.versions.node, folder: null, programs }
    : { title: 'Node', version: process.versions.node, folder: dirname(programs), programs: 'bin' };
}

/** A machine's npm that the sandbox does not see is of no use to the build. */
function shownVersion(hostNpm: HostNpm | null): string | null {
  const isReached = hostNpm && isShown(hostNpm.program) && SYSTEM_PATH.includes(dirname(hostNpm.command));
  return isReached ? hostNpm.version : null;
}

function npmWish(plan: Plan): { version: string | null } {
  return { version: plan.packageManager?.name === 'npm' ? plan.packageManager.version : null };
}

function installer({ config, signal, hostNpm }: ToolchainDeps & { hostNpm: HostNpm | null }) {
  return async (wanted: RegistryPackage): Promise<Tool> => {
    if (!hostNpm) throw new BuildFailed(`${wanted.title} is wanted, and this machine has no npm to install it with.`);
    const options: RegistryOptions = {
      root: pathsOf(config).toolchains,
      npm: [process.execPath, hostNpm.program],
      hostVariables: config.builds.hostVariables,
      signal,
    };
    const folder = await installRegistryPackage(wanted, options);
    const version = basename(folder).replace(/^v/, '');
    const programs = wanted.name.startsWith('@oven/') ? join('node_modules', wanted.name, 'bin') : 'node_modules/.bin';
    return { title: wanted.title.split(' ')[0] ?? wanted.name, version, folder, programs };
  };
}
