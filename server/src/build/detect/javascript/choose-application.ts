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
 * At the root of workspaces: the one package that is an application. Among several, one that has the usual
 * name; a start script of the root itself wins over that.
 */
export async function chooseApplication(project: Project, root: JsProject): Promise<Application | null> {
  const globs = await readGlobs(root.files, root.manifest);
  if (globs.length === 0) return null;
  const packages = await listPackages(root.files, globs);
  const sites = packages.filter((found) =>
    jsFrameworks.some((framework) => isFrameworkUsed(framework, as(root, found))),
  );
  const applications = sites.length > 0 ? sites : packages.filter((found) => isServer(as(root, found)));
  const usual = applications.filter(({ directory }) => USUAL_NAMES.test(directory));
  const hasStart = canStart(root) && sites.length !== 1;
  const one = applications.length === 1 ? applications[0] : usual.length === 1 && !hasStart ? usual[0] : undefined;
  if (one && (sites.length > 0 || !hasStart)) return choose(project, one, applications);
  return hasStart ? null : unclear(applications);
}

async function choose(
  project: Project,
  { directory }: WorkspacePackage,
  all: readonly WorkspacePackage[],
): Promise<Application> {
  const others = all.map((found) => found.directory).filter((other) => other !== directory);
  const more = others.length > 0 ? ` There ${others.length === 1 ? 'is' : 'are'} also ${others.join(', ')}.` : '';
  const note = `${directory} of the workspaces is deployed; set the root directory to deploy another.${more}`;
  return { kind: 'chosen', project: await enterPackage(project, directory), note };
}

function unclear(applications: readonly WorkspacePackage[]): Application {
  const names = applications.map((found) => found.directory).join(', ');
  const found = names
    ? `Several packages could be deployed (${names})`
    : 'No package of the workspaces can be deployed by itself';
  return { kind: 'unclear', note: `${found}: set the root directory to the one that is meant.` };
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
