import { posix } from 'node:path';
import { openSubTree } from '../../../source/sub-tree.ts';
import type { Project } from '../finding.ts';
import { readScriptSettings, type ScriptSettings } from '../parse/script-settings.ts';
import { openProjectFiles, type ProjectFiles } from '../project-files.ts';
import { chooseNode, type NodeChoice } from './node-version.ts';
import { choosePackageManager, type ManagerChoice, type PackageManager } from './package-manager.ts';
import { type PackageManifest, readManifest } from './package-manifest.ts';
import { findWorkspace, type Workspace } from './workspace.ts';

/** A package of JavaScript as the rules for frameworks see it. */
export interface JsProject {
  rootDirectory: string;
  files: ProjectFiles;
  manifest: PackageManifest;
  manager: PackageManager;
  choice: ManagerChoice;
  node: NodeChoice;
  /** Where packages are installed: the project itself, unless a workspace above holds the lock file. */
  workspace: Workspace | null;
}

const SCRIPT_ENDINGS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'];
const MAX_CONFIG_CHARACTERS = 200_000;

export async function openJsProject(project: Project): Promise<JsProject | null> {
  const manifest = await readManifest(project.files);
  if (!manifest) return null;
  const workspace = await findWorkspace(project.tree, project.rootDirectory);
  const choice = await choosePackageManager(
    workspace?.files ?? project.files,
    withFallback(manifest, workspace?.manifest),
  );
  const own = await chooseNode(project.files, manifest);
  return {
    rootDirectory: project.rootDirectory,
    files: project.files,
    manifest,
    manager: choice.manager,
    choice,
    node: own.version === null && workspace ? await chooseNode(workspace.files, workspace.manifest) : own,
    workspace,
  };
}

/** The same project, seen from one of its packages. */
export async function enterPackage(project: Project, directory: string): Promise<Project> {
  const rootDirectory = posix.join(project.rootDirectory, directory);
  return { ...project, rootDirectory, files: await openProjectFiles(openSubTree(project.tree, rootDirectory)) };
}

export function hasPackage({ manifest }: JsProject, ...names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(manifest.dependencies, name));
}

/** A config file such as `vite.config.ts`, by its name without the ending. */
export async function readConfig(project: JsProject, name: string): Promise<ScriptSettings> {
  const path = await project.files.findFirst(SCRIPT_ENDINGS.map((ending) => `${name}.${ending}`));
  const text = path && (await project.files.read(path));
  return readScriptSettings(text && text.slice(0, MAX_CONFIG_CHARACTERS));
}

/** In a workspace, its root says which package manager is used. */
function withFallback(manifest: PackageManifest, root: PackageManifest | undefined): PackageManifest {
  if (!root) return manifest;
  return { ...root, packageManager: root.packageManager ?? manifest.packageManager };
}
