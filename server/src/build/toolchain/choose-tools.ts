import { major, satisfies, subset, valid } from 'semver';
import { isYarnBerry } from '../detect/javascript/package-manager.ts';
import { nodeMajorFor } from '../detect/javascript/node-version.ts';
import type { Plan } from '../plan.ts';
import type { RegistryPackage } from './registry-package.ts';
import { bunPackage } from './registry-tools.ts';

/** `x64`, `arm64`: as Node's packages are named. */
export type Architecture = string;

/** The Node that a project asks for; null when the platform's own will do. */
export function chooseNodePackage(
  range: string | null,
  { running, architecture }: { running: string; architecture: Architecture },
): RegistryPackage | null {
  if (!range || satisfies(running, range)) return null;
  const wanted = nodeMajorFor(range);
  const exact = valid(range);
  if (!exact && wanted === major(running) && subset(`${wanted}.x`, range)) return null;
  const version = exact ?? (subset(`${wanted}.x`, range) ? String(wanted) : range);
  return { name: `node-linux-${architecture}`, version, title: `Node ${range}` };
}

/** What npm comes with each Node, and so what its lock files expect. */
function npmMajorFor(nodeMajor: number): number {
  if (nodeMajor >= 24) return 11;
  if (nodeMajor >= 18) return 10;
  return nodeMajor >= 16 ? 8 : 6;
}

/** npm of the machine does for Nodes it supports, unless the project names a version. */
export function chooseNpmPackage(
  { version }: { version: string | null },
  { nodeMajor, hostNpm }: { nodeMajor: number; hostNpm: string | null },
): RegistryPackage | null {
  const isHostFit = hostNpm !== null && (nodeMajor >= 20 || major(hostNpm) < 11);
  if (!version && isHostFit) return null;
  if (version && hostNpm && isHostFit && satisfies(hostNpm, version)) return null;
  const wanted = version ?? String(npmMajorFor(nodeMajor));
  return { name: 'npm', version: wanted, title: `npm ${wanted}` };
}

type Manager = NonNullable<Plan['packageManager']>;

export function chooseManagerPackage(
  manager: Manager,
  machine: { nodeMajor: number; architecture: Architecture },
): RegistryPackage {
  const { name, version } = manager;
  const title = version ? `${name} ${version}` : name;
  if (name === 'pnpm') return { name, version: version ?? pnpmFor(machine.nodeMajor), title };
  if (name === 'bun') return { name: bunPackage(machine.architecture), version: version ?? 'latest', title };
  return isYarnBerry(manager)
    ? { name: '@yarnpkg/cli-dist', version: version ?? 'latest', title }
    : { name: 'yarn', version: version && version !== '1' ? version : '^1.22.0', title };
}

function pnpmFor(nodeMajor: number): string {
  if (nodeMajor >= 22) return 'latest';
  if (nodeMajor >= 18) return '10';
  return nodeMajor >= 16 ? '8' : '6';
}
