import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonFor } from './dependency-reasons.ts';
import { page, table } from './markdown-reference.ts';

interface LockedPackage {
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Packages = Record<string, LockedPackage>;

interface Direct {
  name: string;
  /** The folder of the workspace; empty for the root. */
  workspace: string;
  isForUse: boolean;
}

/** docs/reference/dependencies.md */
export function dependencyReference(): string {
  const packages = readLock();
  const direct = directOf(packages);
  const used = direct.filter(({ isForUse }) => isForUse);
  const others = direct.filter(({ isForUse }) => !isForUse);
  return page('Dependencies', [
    INTRODUCTION,
    `The platform runs with ${countOf(packages, used)} packages, of which it names ${namesIn(used).length} itself; tests, checks and building the console need ${countOf(packages, direct) - countOf(packages, used)} more. ${scriptNote(packages)}`,
    `## In use\n\n${reviewTable(packages, used)}`,
    `## For tests, checks and building\n\n${reviewTable(packages, others)}`,
    `## Licences\n\n${licenceTable(packages, { used, direct })}\n\n${unstatedNote(packages)}`,
  ]);
}

const INTRODUCTION = `What Lilac is made of besides itself, from \`package-lock.json\`. "Brings" is how many packages come with one, itself
not counted. [Decision 7](../decisions/0007-dependencies.md) says by which rules one is taken. \`npm run sbom\` writes the
whole list for programs (CycloneDX); \`npm audit\` asks the registry for known vulnerabilities.`;

function reviewTable(packages: Packages, direct: readonly Direct[]): string {
  const rows = namesIn(direct).map((name) => {
    const places = direct.filter((each) => each.name === name);
    const path = pathOf(packages, name, places[0]!.workspace)!;
    const { version = '', license = '' } = packages[path]!;
    const { why, keeper } = reasonFor(name);
    const where = places.map(({ workspace }) => workspace || 'root').join(', ');
    return [`\`${name}\``, version, where, why, keeper, String(closureOf(packages, [path]).size - 1), license];
  });
  return table(['Package', 'Version', 'Where', 'Why', 'Who keeps it', 'Brings', 'Licence'], rows);
}

function licenceTable(
  packages: Packages,
  { used, direct }: { used: readonly Direct[]; direct: readonly Direct[] },
): string {
  const count = (of: readonly Direct[]) => {
    const counts = new Map<string, number>();
    for (const path of closureOf(packages, pathsOf(packages, of))) {
      const licence = packages[path]!.license ?? 'not stated';
      counts.set(licence, (counts.get(licence) ?? 0) + 1);
    }
    return counts;
  };
  const [inUse, all] = [count(used), count(direct)];
  const names = [...all.keys()].toSorted();
  return table(
    ['Licence', 'In use', 'In all'],
    names.map((name) => [name, String(inUse.get(name) ?? 0), String(all.get(name))]),
  );
}

/** Looked up by hand in the packages themselves; the lock file keeps the newer form of saying it only. */
const OLDER_FORM: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  busboy: 'MIT',
  'cpu-features': 'MIT',
  'humanize-number': 'MIT',
  ssh2: 'MIT',
  streamsearch: 'MIT',
};

function unstatedNote(packages: Packages): string {
  const unstated = Object.entries(packages)
    .filter(([path, { license, link }]) => path.includes('node_modules/') && !link && !license)
    .map(([path]) => nameOf(path))
    .toSorted();
  const unknown = unstated.filter((name) => !Object.hasOwn(OLDER_FORM, name));
  if (unknown.length > 0) throw new Error(`Nobody has looked up the licence of ${unknown.join(', ')}.`);
  const told = unstated.map((name) => `\`${name}\` (${OLDER_FORM[name]})`).join(', ');
  return `Not stated where the lock file keeps it, but in the packages themselves: ${told}.`;
}

function scriptNote(packages: Packages): string {
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => `\`${nameOf(path)}\``);
  return `Install scripts are never run; those that have one are ${names.toSorted().join(', ')}.`;
}

function readLock(): Packages {
  const path = join(dirname(import.meta.dirname), 'package-lock.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages;
}

function directOf(packages: Packages): Direct[] {
  const workspaces = Object.keys(packages).filter((path) => !path.includes('node_modules'));
  const isOurs = (name: string) => packages[`node_modules/${name}`]?.link === true;
  return workspaces.flatMap((workspace) => {
    const { dependencies, optionalDependencies, devDependencies } = packages[workspace]!;
    // What the console is made of is in what is built of it; its tools are not.
    const used = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ name, isForUse: true }));
    const others = Object.keys(devDependencies ?? {}).map((name) => ({ name, isForUse: false }));
    return [...used, ...others].filter(({ name }) => !isOurs(name)).map((each) => ({ ...each, workspace }));
  });
}

function namesIn(direct: readonly Direct[]): string[] {
  return [...new Set(direct.map(({ name }) => name))].toSorted();
}

function countOf(packages: Packages, direct: readonly Direct[]): number {
  return closureOf(packages, pathsOf(packages, direct)).size;
}

function pathsOf(packages: Packages, direct: readonly Direct[]): string[] {
  return direct.flatMap(({ name, workspace }) => pathOf(packages, name, workspace) ?? []);
}

/** Everything that comes with some packages, themselves among it. Packages for other systems count as well. */
function closureOf(packages: Packages, paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      open.push(...[pathOf(packages, name, path) ?? []].flat());
  }
  return found;
}

/** As Node looks for it: beside whoever wants it, and then further up. */
function pathOf(packages: Packages, name: string, from: string): string | null {
  const here = from ? `${from}/node_modules/${name}` : `node_modules/${name}`;
  if (packages[here]) return here;
  if (!from) return null;
  const cut = from.lastIndexOf('/node_modules/');
  return pathOf(packages, name, cut === -1 ? '' : from.slice(0, cut));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
