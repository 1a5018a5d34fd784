import { posix } from 'node:path';
import type { SourceTree, TreeEntry } from '../../source/source-tree.ts';
import { insidePath, openSubTree } from '../../source/sub-tree.ts';
import { type BuildSettings, type Plan, PlanRefused } from '../plan.ts';
import { families } from './all-families.ts';
import { applySettings } from './apply-settings.ts';
import { findDockerfile, preferDockerfile } from './families/dockerfile.ts';
import type { Finding, Project } from './finding.ts';
import { toSlug } from './framework-names.ts';
import { openProjectFiles } from './project-files.ts';

const MAX_FOLDERS = 30;
const MANIFESTS =
  /^(package\.json|index\.(html|php)|go\.mod|Gemfile|requirements\.txt|pyproject\.toml|manage\.py|main\.py|pom\.xml|build\.gradle(\.kts)?|Cargo\.toml|composer\.json|mix\.exs|deno\.jsonc?|Dockerfile)$|\.(cs|fs)proj$/;

/**
 * How a source is built and what comes of it, told from its files alone: nothing of it is run. Rejects with
 * `PlanRefused` where that cannot be told, or where a setting contradicts the source.
 */
export async function detectPlan(tree: SourceTree, settings: BuildSettings): Promise<Plan> {
  const project = await openProject(tree, settings);
  const finding = await findFirst(project);
  if (!finding) {
    if (settings.deploymentType === 'static' && settings.outputDirectory !== null) {
      return applySettings(
        { framework: null, language: 'static', deploymentType: 'static' },
        settings,
        project.rootDirectory,
      );
    }
    if (settings.deploymentType !== 'static' && settings.startCommand?.trim()) {
      const program = { framework: null, language: 'other', deploymentType: 'container' } as const;
      return applySettings(program, settings, project.rootDirectory);
    }
    throw new PlanRefused(await nothingFound(project));
  }
  const preferred = await preferDockerfile(project, finding, settings.deploymentType === 'static');
  const notes = [...(preferred.notes ?? []), ...notesOf(project, preferred)];
  return applySettings({ ...preferred, notes }, settings, project.rootDirectory);
}

async function openProject(tree: SourceTree, settings: BuildSettings): Promise<Project> {
  const rootDirectory = insidePath(settings.rootDirectory?.trim() ?? '');
  if (rootDirectory === null) {
    throw new PlanRefused(`The root directory “${settings.rootDirectory}” lies outside the source.`);
  }
  const files = await openProjectFiles(openSubTree(tree, rootDirectory));
  if (files.fileNames.size + files.folderNames.size === 0) {
    throw new PlanRefused(
      rootDirectory === ''
        ? 'The source holds no files.'
        : `There is no folder “${rootDirectory}” in the source. Create the application anew with another folder (rootDirectory).`,
    );
  }
  return { tree, rootDirectory, files, chosenFramework: toSlug(settings.framework) };
}

/** The family of the framework that a person chose is asked first; the others keep their order. */
async function findFirst(project: Project): Promise<Finding | null> {
  const { chosenFramework: chosen } = project;
  const isChosen = (names: readonly string[]) => chosen !== null && names.includes(chosen);
  const order = families.toSorted((a, b) => Number(isChosen(b.frameworks)) - Number(isChosen(a.frameworks)));
  for (const family of order) {
    const finding = await family.detect(project);
    if (finding) return finding;
  }
  return null;
}

function notesOf(project: Project, finding: Finding): string[] {
  const { chosenFramework: chosen } = project;
  const notes: string[] = [];
  if (chosen !== null && finding.framework !== null && finding.framework !== chosen) {
    notes.push(`The framework is set to ${chosen}, but the project uses ${finding.framework}: it is built as that.`);
  }
  if (findDockerfile(project.files) && finding.language !== 'docker') {
    notes.push(
      'There is a Dockerfile too; an application that is created with the framework dockerfile is built with it instead.',
    );
  }
  return notes;
}

async function nothingFound(project: Project): Promise<string> {
  const { rootDirectory } = project;
  const place = rootDirectory === '' ? 'the root of the source' : `“${rootDirectory}”`;
  const folders = await findProjectFolders(project);
  const advice =
    folders.length > 0
      ? `Create the application anew with the folder of the project that is meant (rootDirectory): ${folders.join(', ')}.`
      : 'If the project lies in a folder, create the application anew with that folder (rootDirectory).';
  return (
    `Nothing in ${place} tells how to build it. Looked for: package.json, index.html, the manifests of Python, Go, ` +
    `Ruby, PHP, Java, Rust, .NET, Elixir and Deno, a Dockerfile and a Procfile. ${advice}`
  );
}

/** The folders right below that look like projects. */
async function findProjectFolders({ files, rootDirectory }: Project): Promise<string[]> {
  const folders = [...files.folderNames].filter((name) => !name.startsWith('.')).slice(0, MAX_FOLDERS);
  const listed = await Promise.all(folders.map((folder) => files.list(folder)));
  return folders
    .filter((_, index) => isProject(listed[index] ?? []))
    .map((folder) => posix.join(rootDirectory, folder));
}

function isProject(entries: readonly TreeEntry[]): boolean {
  return entries.some(({ kind, name }) => kind === 'file' && MANIFESTS.test(name));
}
