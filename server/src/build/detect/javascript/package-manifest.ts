import type { ProjectFiles } from '../project-files.ts';
import {
  kindOf,
  parseJson,
  parseYaml,
  requireTable,
  type Table,
  toTable,
  toText,
  toTexts,
  toTextTable,
} from '../parse/read-data.ts';
import { withoutComments } from '../parse/without-comments.ts';
import { PlanRefused } from '../../plan.ts';

export interface PackageManifest {
  name: string | null;
  main: string | null;
  scripts: Readonly<Record<string, string>>;
  /** Those for development too: frameworks are often among them. */
  dependencies: Readonly<Record<string, string>>;
  engines: Readonly<Record<string, string>>;
  /** `devEngines` may name the package manager too. */
  packageManager: string | null;
  volta: Readonly<Record<string, string>>;
  /** Null: not the root of workspaces. */
  workspaces: readonly string[] | null;
}

/** pnpm reads the two others as well; other tools have files of that name for other things. */
const PNPM_MANIFESTS = ['package.json5', 'package.yaml'];
const PNPM_FILES = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/** JSON5 is YAML's flow style, but for its comments. */
const JSON5 = ['"', "'", '//', '/*'] as const;

export function hasManifest(files: ProjectFiles): boolean {
  return findManifest(files) !== null;
}

/** Null where there is none; a broken one is refused. */
export async function readManifest(files: ProjectFiles): Promise<PackageManifest | null> {
  const path = findManifest(files);
  if (!path) return null;
  const raw = parseManifest(path, (await files.read(path)) ?? '');
  refuseMistakes(path, raw);
  return toManifest(raw);
}

/** What npm would trip over much later, or silently leave out. */
function refuseMistakes(path: string, raw: Table): void {
  for (const key of ['scripts', 'dependencies', 'devDependencies']) {
    if (!isNothing(raw[key])) requireTable(`“${key}” in ${path}`, raw[key]);
  }
  for (const [name, script] of Object.entries(toTable(raw['scripts']))) {
    // Keys that begin so are notes by custom.
    if (typeof script === 'string' || script === null || name.startsWith('//')) continue;
    throw new PlanRefused(
      `The script “${name}” in ${path} must be a text, a command, but is ${kindOf(script)}. Correct the file and deploy again.`,
    );
  }
}

/** Tools written in languages without objects write an empty one as a list. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function findManifest({ fileNames }: ProjectFiles): string | null {
  if (fileNames.has('package.json')) return 'package.json';
  const isPnpm = PNPM_FILES.some((name) => fileNames.has(name));
  return (isPnpm && PNPM_MANIFESTS.find((name) => fileNames.has(name))) || null;
}

export function parseManifest(path: string, text: string): Table {
  if (path.endsWith('.json')) return parseJson(path, text);
  return parseYaml(path, path.endsWith('.json5') ? withoutComments(text, JSON5) : text);
}

export function toManifest(raw: Table): PackageManifest {
  const workspaces = raw['workspaces'];
  const globs = Array.isArray(workspaces) ? workspaces : toTable(workspaces)['packages'];
  return {
    name: toText(raw['name']),
    main: toText(raw['main']),
    scripts: toTextTable(raw['scripts']),
    dependencies: {
      ...toTextTable(raw['optionalDependencies']),
      ...toTextTable(raw['devDependencies']),
      ...toTextTable(raw['dependencies']),
    },
    engines: toTextTable(raw['engines']),
    packageManager: toText(raw['packageManager']) ?? managerOfDevEngines(raw),
    volta: toTextTable(raw['volta']),
    workspaces: Array.isArray(globs) ? toTexts(globs) : null,
  };
}

function managerOfDevEngines(raw: Table): string | null {
  const entry = toTable(raw['devEngines'])['packageManager'];
  const { name, version } = toTextTable(Array.isArray(entry) ? entry[0] : entry);
  return name ? [name, version].filter(Boolean).join('@') : null;
}
