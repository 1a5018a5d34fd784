import { posix } from 'node:path';
import type { SourceTree } from '../../../source/source-tree.ts';
import { openSubTree } from '../../../source/sub-tree.ts';
import { openProjectFiles, type ProjectFiles } from '../project-files.ts';
import { parseYaml, toTexts } from '../parse/read-data.ts';
import { hasManifest, type PackageManifest, parseManifest, readManifest, toManifest } from './package-manifest.ts';

const MAX_PACKAGES = 100;
const MAX_DEPTH = 4;

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
  if (manifest.workspaces) return manifest.workspaces.map(trimGlob);
  const declared = await files.read('pnpm-workspace.yaml');
  return declared ? toTexts(parseYaml('pnpm-workspace.yaml', declared)['packages']).map(trimGlob) : [];
}

/** Every package of the workspaces, by its folder relative to their root. */
export async function listPackages(files: ProjectFiles, globs: readonly string[]): Promise<WorkspacePackage[]> {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const folders = new Set((await Promise.all(wanted.map((glob) => expand(files, glob)))).flat());
  const members = [...folders].filter((folder) => isMember(globs, folder)).slice(0, MAX_PACKAGES);
  const packages = await Promise.all(members.map((folder) => openPackage(files, folder)));
  return packages.filter((found) => found !== null);
}

function isMember(globs: readonly string[], folder: string): boolean {
  const matches = (glob: string) => posix.matchesGlob(folder, glob);
  const denied = globs.filter((glob) => glob.startsWith('!')).map((glob) => trimGlob(glob.slice(1)));
  return globs.some((glob) => !glob.startsWith('!') && matches(glob)) && !denied.some(matches);
}

function trimGlob(glob: string): string {
  return glob.replace(/^\.\//, '').replace(/\/+$/, '');
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
