import type { Family, Finding, Project } from '../finding.ts';
import { jsFrameworks } from '../frameworks/all-frameworks.ts';
import { isFrameworkUsed, type JsFramework } from '../frameworks/js-framework.ts';
import { serverLibraries } from '../frameworks/servers.ts';
import { describeFramework } from '../javascript/describe-framework.ts';
import { describeServer } from '../javascript/describe-server.ts';
import { type JsProject, openJsProject } from '../javascript/js-project.ts';
import { chooseApplication } from '../javascript/choose-application.ts';
import { hasManifest } from '../javascript/package-manifest.ts';
import { refuseNxProject } from '../javascript/refuse-nx-project.ts';
import { readGlobs } from '../javascript/workspace.ts';

/** Packages of JavaScript: a framework of the table, else a server, else a page beside a manifest. */
export const javascript: Family = {
  name: 'JavaScript',
  frameworks: ['node', 'bun', ...[...jsFrameworks, ...serverLibraries].map((framework) => framework.slug)],
  async detect(project) {
    if (!hasManifest(project.files)) {
      await refuseNxProject(project);
      return null;
    }
    const opened = await openJsProject(project);
    return opened && describePackage(project, opened);
  },
};

async function describePackage(project: Project, opened: JsProject): Promise<Finding> {
  const isRoot = (await readGlobs(opened.files, opened.manifest)).length > 0;
  const framework = chooseFramework(opened, project.chosenFramework, isRoot);
  if (framework) return describeFramework(framework, opened);
  const server = await describeServer(opened);
  const application = server.framework ? null : await chooseApplication(project, opened);
  if (!application) return server;
  if (application.kind === 'unclear') return { ...server, notes: [...(server.notes ?? []), application.note] };
  const inner = await openJsProject(application.project);
  const finding = inner && (await describePackage(application.project, inner));
  return finding ? { ...finding, notes: [application.note, ...(finding.notes ?? [])] } : server;
}

/**
 * The one that a person chose, as long as the project uses it or uses none at all; at the root of workspaces it
 * is one of theirs that is meant.
 */
function chooseFramework(project: JsProject, chosen: string | null, isRoot: boolean): JsFramework | null {
  const used = jsFrameworks.filter((framework) => isFrameworkUsed(framework, project));
  const wanted = jsFrameworks.find((framework) => framework.slug === chosen);
  if (wanted && ((used.length === 0 && !isRoot) || used.includes(wanted))) return wanted;
  return used[0] ?? null;
}
