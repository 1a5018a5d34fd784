import type { Project } from '../finding.ts';
import { jsFrameworks } from '../frameworks/all-frameworks.ts';
import { isFrameworkUsed } from '../frameworks/js-framework.ts';
import { serverLibraries } from '../frameworks/servers.ts';
import { enterPackage, hasPackage, type JsProject } from './js-project.ts';
import { isDevelopmentServer } from './start-script.ts';
import { listPackages, readGlobs, type WorkspacePackage } from './workspace.ts';

/** What of a monorepo is deployed when nobody said so. */
export type Application = { kind: 'chosen'; project: Project; note: string } | { kind: 'unclear'; note: string };

const USUAL_NAMES = /(^|\/)(web|www|website|site|frontend|client|app)$/;

/**
 * At the root of workspaces: the one package that uses the framework a person chose, or the one that uses any.
 * A start script of the root comes next; then the only server, or the package with the usual name.
 */
export async function chooseApplication(project: Project, root: JsProject): Promise<Application | null> {
  const globs = await readGlobs(root.files, root.manifest);
  if (globs.length === 0) return null;
  const packages = await listPackages(root.files, globs);
  const sites = packages.filter((found) => usesFramework(as(root, found), null));
  const meant = sites.filter((found) => usesFramework(as(root, found), project.chosenFramework));
  const only = [meant, sites].find((found) => found.length === 1)?.[0];
  if (only) return choose(project, only, sites);
  if (canStart(root)) return null;
  const applications = sites.length > 0 ? sites : packages.filter((found) => isServer(as(root, found)));
  const usual = applications.filter(({ directory }) => USUAL_NAMES.test(directory));
  const one = [applications, usual].find((found) => found.length === 1)?.[0];
  return one ? choose(project, one, applications) : unclear(applications);
}

function usesFramework(found: JsProject, slug: string | null): boolean {
  return jsFrameworks.some(
    (framework) => (slug === null || framework.slug === slug) && isFrameworkUsed(framework, found),
  );
}

async function choose(
  project: Project,
  { directory }: WorkspacePackage,
  all: readonly WorkspacePackage[],
): Promise<Application> {
  const others = all.map((found) => found.directory).filter((other) => other !== directory);
  const more = others.length > 0 ? ` There ${others.length === 1 ? 'is' : 'are'} also ${others.join(', ')}.` : '';
  const note = `${directory} of the workspaces is deployed; another is deployed by an application with that folder (rootDirectory).${more}`;
  return { kind: 'chosen', project: await enterPackage(project, directory), note };
}

function unclear(applications: readonly WorkspacePackage[]): Application {
  const names = applications.map((found) => found.directory).join(', ');
  const found = names
    ? `Several packages could be deployed (${names})`
    : 'No package of the workspaces can be deployed by itself';
  return {
    kind: 'unclear',
    note: `${found}: create the application anew with the folder of the one that is meant (rootDirectory).`,
  };
}

function as(root: JsProject, { manifest }: WorkspacePackage): JsProject {
  return { ...root, manifest };
}

function canStart({ manifest }: JsProject): boolean {
  const { start } = manifest.scripts;
  return Boolean(start) && !isDevelopmentServer(start ?? '', manifest.scripts);
}

function isServer(found: JsProject): boolean {
  return serverLibraries.some(({ packages }) => hasPackage(found, ...packages)) || canStart(found);
}
