import { posix } from 'node:path';
import type { SourceTree } from '../../../source/source-tree.ts';
import { openSubTree } from '../../../source/sub-tree.ts';
import { openProjectFiles, type ProjectFiles } from '../project-files.ts';
import { createBreather } from '../../../lib/breather.ts';
import { PlanRefused } from '../../plan.ts';
import { withoutEndingSlashes } from '../parse/lines.ts';
import { parseYaml, toTexts } from '../parse/read-data.ts';
import { hasManifest, type PackageManifest, parseManifest, readManifest, toManifest } from './package-manifest.ts';

const MAX_PACKAGES = 100;
const MAX_DEPTH = 4;
const MAX_GLOBS = 100;
/** Of folders that are compared with them. */
const MAX_FOLDERS = 10_000;
const MAX_GLOB_CHARACTERS = 200;
/** A star tries every length, for each that the one before it has tried. */
const MAX_STARS = 2;
/** Between braces: each is a pattern of its own. */
const MAX_WORDS = 20;

/** The folder whose lock file and package manager hold for a package. */
export interface Workspace {
  directory: string;
  files: ProjectFiles;
  manifest: PackageManifest;
  /** Empty where it has no workspaces. */
  globs: readonly string[];
}

export interface WorkspacePackage {
  directory: string;
  manifest: PackageManifest;
}

/** The nearest folder above that has the package among its workspaces; null: the package stands alone. */
export async function findWorkspace(tree: SourceTree, packageDirectory: string): Promise<Workspace | null> {
  for (let folder = packageDirectory; folder !== '';) {
    folder = posix.dirname(folder) === '.' ? '' : posix.dirname(folder);
    const candidate = await openWorkspace(tree, folder);
    if (candidate && isMember(candidate.globs, posix.relative(folder, packageDirectory))) return candidate;
  }
  return null;
}

async function openWorkspace(tree: SourceTree, directory: string): Promise<Workspace | null> {
  const files = await openProjectFiles(openSubTree(tree, directory));
  if (!hasManifest(files)) return null;
  const manifest = await readManifest(files);
  return manifest && { directory, files, manifest, globs: await readGlobs(files, manifest) };
}

export async function readGlobs(files: ProjectFiles, manifest: PackageManifest): Promise<readonly string[]> {
  if (manifest.workspaces) return checkGlobs(manifest.workspaces);
  const declared = await files.read('pnpm-workspace.yaml');
  return declared ? checkGlobs(toTexts(parseYaml('pnpm-workspace.yaml', declared)['packages'])) : [];
}

/** What compares them tries out all that a pattern may mean: how much that can be is bounded here. */
function checkGlobs(written: readonly string[]): string[] {
  if (written.length > MAX_GLOBS) {
    throw new PlanRefused(
      `The project names more than ${MAX_GLOBS} workspaces. Name folders of them, such as packages/*.`,
    );
  }
  const involved = written.find((glob) => !isPlain(glob));
  if (involved === undefined) return written.map(trimGlob);
  throw new PlanRefused(
    `The workspace “${involved.slice(0, 100)}” is too involved a pattern to be read. Write it plainer, such as packages/*.`,
  );
}

/** Two stars in each name of a folder, two short lists of words, one pair of brackets: what people write. */
function isPlain(glob: string): boolean {
  if (glob.length > MAX_GLOB_CHARACTERS) return false;
  const hasGroups = count(glob, '(') > 0;
  return (
    count(glob, '{') <= 2 &&
    count(glob, ',') <= MAX_WORDS &&
    !/\{[^}]*\.\./.test(glob) &&
    count(glob, '(') <= 1 &&
    !/[*+]\(/.test(glob) &&
    count(glob, '**') <= MAX_STARS &&
    glob.split('/').every((part) => part === '**' || count(part, '*') <= (hasGroups ? 1 : MAX_STARS))
  );
}

/** Every package of the workspaces, by its folder relative to their root. */
export async function listPackages(files: ProjectFiles, globs: readonly string[]): Promise<WorkspacePackage[]> {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const folders = new Set<string>();
  for (const glob of wanted) for (const folder of await expand(files, glob)) folders.add(folder);
  const breathe = createBreather();
  const members: string[] = [];
  for (const folder of [...folders].slice(0, MAX_FOLDERS)) {
    if (members.length === MAX_PACKAGES) break;
    if (isMember(globs, folder)) members.push(folder);
    await breathe();
  }
  const packages = await Promise.all(members.map((folder) => openPackage(files, folder)));
  return packages.filter((found) => found !== null);
}

function isMember(globs: readonly string[], folder: string): boolean {
  const matches = (glob: string) => posix.matchesGlob(folder, glob);
  const denied = globs.filter((glob) => glob.startsWith('!')).map((glob) => trimGlob(glob.slice(1)));
  return globs.some((glob) => !glob.startsWith('!') && matches(glob)) && !denied.some(matches);
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

function trimGlob(glob: string): string {
  return withoutEndingSlashes(glob.replace(/^\.\//, ''));
}

async function expand(files: ProjectFiles, glob: string): Promise<string[]> {
  const parts = glob.split('/');
  const fixed = parts.slice(0, firstPattern(parts));
  if (fixed.length === parts.length) return [glob];
  const depth = glob.includes('**') ? MAX_DEPTH : parts.length - fixed.length;
  return foldersBelow(files, fixed.join('/'), depth);
}

function firstPattern(parts: readonly string[]): number {
  const index = parts.findIndex((part) => /[*?[{]/.test(part));
  return index === -1 ? parts.length : index;
}

async function foldersBelow(files: ProjectFiles, folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [];
  const children = (await files.list(folder))
    .filter((entry) => entry.kind === 'folder' && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => posix.join(folder, entry.name));
  const deeper = await Promise.all(children.map((child) => foldersBelow(files, child, depth - 1)));
  return [...children, ...deeper.flat()];
}

async function openPackage(files: ProjectFiles, directory: string): Promise<WorkspacePackage | null> {
  const text = await files.read(posix.join(directory, 'package.json'));
  if (!text) return null;
  return { directory, manifest: toManifest(parseManifest(posix.join(directory, 'package.json'), text)) };
}
