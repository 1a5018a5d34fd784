import { posix } from 'node:path';
import type { JsProject } from './js-project.ts';
import { isYarnBerry, runScript } from './package-manager.ts';
import { shellWord } from '../shell-word.ts';
import { parseJson } from '../parse/read-data.ts';
import { listPackages, type Workspace, type WorkspacePackage } from './workspace.ts';

/**
 * The command that builds a package of a workspace together with those beside it that it depends on, in their
 * order; null where it depends on none, or none of them has anything to build.
 */
export async function buildWithSiblings(project: JsProject, script: string): Promise<string | null> {
  const { workspace, manifest } = project;
  if (!workspace) return null;
  const siblings = await findSiblings(project, workspace);
  if (siblings.length === 0) return null;
  if (usesTurbo(workspace)) return turboCommand(project, workspace, script);
  const buildable = siblings.filter((sibling) => sibling.manifest.scripts['build']);
  if (buildable.length === 0) return null;
  if (project.manager.name === 'pnpm')
    return `pnpm --filter ${shellWord(`${manifest.name ?? '{.}'}...`)} run ${script}`;
  const steps = buildable.map(({ directory }) => {
    const path = posix.relative(project.rootDirectory, posix.join(workspace.directory, directory));
    return `(cd ${shellWord(path)} && ${runScript(project.manager, 'build')})`;
  });
  return [...steps, runScript(project.manager, script)].join(' && ');
}

/** Those that the package needs, directly or through others: each after what it needs itself. */
async function findSiblings(project: JsProject, workspace: Workspace): Promise<WorkspacePackage[]> {
  const all = await listPackages(workspace.files, workspace.globs);
  const byName = new Map(all.map((found) => [found.manifest.name, found]));
  const ordered = new Set<WorkspacePackage>();
  const seen = new Set<string | null>([project.manifest.name]);
  const visit = (dependencies: Readonly<Record<string, string>>) => {
    for (const name of Object.keys(dependencies)) {
      const sibling = byName.get(name);
      if (!sibling || seen.has(name)) continue;
      seen.add(name);
      visit(sibling.manifest.dependencies);
      ordered.add(sibling);
    }
  };
  visit(project.manifest.dependencies);
  return [...ordered];
}

function usesTurbo({ files, manifest }: Workspace): boolean {
  return files.fileNames.has('turbo.json') && 'turbo' in manifest.dependencies;
}

/** Loose: Turborepo would otherwise hide the environment's variables from the build. */
async function turboCommand(project: JsProject, workspace: Workspace, script: string): Promise<string> {
  const settings = parseJson('turbo.json', (await workspace.files.read('turbo.json')) ?? '{}');
  const up = posix.relative(project.rootDirectory, workspace.directory);
  const turbo = isYarnBerry(project.manager) ? 'yarn run -T turbo' : `${up}/node_modules/.bin/turbo`;
  const filter = project.manifest.name ?? `./${posix.relative(workspace.directory, project.rootDirectory)}`;
  return `${turbo} run ${script} --filter=${shellWord(filter)}${'tasks' in settings ? ' --env-mode=loose' : ''}`;
}
