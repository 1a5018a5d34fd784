import { posix } from 'node:path';
import { insidePath } from '../../source/sub-tree.ts';
import { type BuildSettings, type Plan, PlanRefused } from '../plan.ts';
import type { Finding } from './finding.ts';

/** What was found, with everything that a person has set put over it. */
export function applySettings(finding: Finding, settings: BuildSettings, rootDirectory: string): Plan {
  const adapted = adaptTo(settings.deploymentType ?? finding.deploymentType, finding, settings);
  const isStatic = adapted.deploymentType === 'static';
  const root = adapted.rootDirectory ?? rootDirectory;
  const startCommand = isStatic ? null : command(settings.startCommand, adapted.startCommand);
  const lacks = !isStatic && startCommand === null && adapted.noStart !== undefined ? [adapted.noStart] : [];
  return {
    framework: adapted.framework,
    language: adapted.language,
    deploymentType: adapted.deploymentType,
    runtime: isStatic ? null : (settings.runtime ?? adapted.runtime ?? null),
    rootDirectory: root,
    workspaceDirectory: adapted.workspaceDirectory ?? root,
    lockFile: adapted.lockFile ?? null,
    packageManager: adapted.packageManager ?? null,
    nodeVersion: versionIn(settings.runtime, 'node') ?? adapted.nodeVersion ?? null,
    languageVersion: versionIn(settings.runtime, adapted.language) ?? adapted.languageVersion ?? null,
    installCommand: adapted.installCommand ?? null,
    buildCommand: command(settings.buildCommand, adapted.buildCommand),
    outputDirectory: isStatic ? outputFolder(settings.outputDirectory ?? adapted.outputDirectory ?? '', root) : null,
    startCommand,
    port: isStatic ? null : (settings.containerPort ?? adapted.port ?? null),
    cacheFolders: [...(adapted.cacheFolders ?? [])],
    buildVariables: { ...adapted.buildVariables },
    isSinglePage: isStatic && (adapted.isSinglePage ?? false),
    notes: [...(adapted.notes ?? []), ...lacks],
  };
}

function adaptTo(wanted: Plan['deploymentType'], finding: Finding, settings: BuildSettings): Finding {
  if (wanted === finding.deploymentType) return finding;
  return wanted === 'static' ? asStatic(finding, settings) : asContainer(finding, settings);
}

function asStatic(finding: Finding, settings: BuildSettings): Finding {
  const notes = [...(finding.notes ?? [])];
  if (finding.asStatic) {
    const { notes: hints = [], ...files } = withDefined(finding.asStatic);
    return { ...finding, ...files, deploymentType: 'static', notes: [...notes, ...hints] };
  }
  if (settings.outputDirectory !== null) return { ...finding, deploymentType: 'static' };
  if (finding.staticRefusal) throw new PlanRefused(`${finding.staticRefusal} ${AS_SERVER}`);
  throw new PlanRefused(
    `${nameOf(finding)} runs as a server and cannot be served as static files. ` +
      `Set an output directory if a build writes pages to one. ${AS_SERVER}`,
  );
}

/** Nothing changes the kind of an application that is there. */
const AS_SERVER = 'To run it as a server, create the application anew as a server (deployment type container).';

/** Without what is left open: that stays as it was found. */
function withDefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}

function asContainer(finding: Finding, settings: BuildSettings): Finding {
  const startCommand = settings.startCommand ?? finding.asServer?.startCommand;
  if (startCommand) return { ...finding, deploymentType: 'container', startCommand, outputDirectory: null };
  throw new PlanRefused(
    `${nameOf(finding)} is built to static files and nothing in it starts a server. ` +
      'Create the application anew as a site of files (deployment type static), or with a start command.',
  );
}

/** A person who sets `node22` or `python3.12` wants that one; `python3` is any. */
function versionIn(runtime: string | null, language: string): string | null {
  const version = runtime?.startsWith(language) ? runtime.slice(language.length).replace(/^[-:@ ]/, '') : '';
  return /^\d+(\.\d+)*$/.test(version) && version !== '3' ? version : null;
}

function nameOf({ framework, language }: Finding): string {
  return `This project (${framework ?? (language === 'static' ? 'HTML' : language)})`;
}

/** An empty command that a person set means: none. */
function command(set: string | null, found: string | null | undefined): string | null {
  return set === null ? (found ?? null) : set.trim() || null;
}

/** A monorepo's tool may write beside the project, but nothing is served from outside the source. */
function outputFolder(folder: string, rootDirectory: string): string {
  const inSource = insidePath(posix.join(rootDirectory, folder.trim()));
  if (inSource === null || folder.startsWith('/')) {
    throw new PlanRefused(`The output directory “${folder}” lies outside the source. Name one inside it.`);
  }
  return posix.relative(rootDirectory, inSource);
}
