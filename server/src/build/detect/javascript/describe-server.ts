import { posix } from 'node:path';
import type { Finding } from '../finding.ts';
import { serverLibraries } from '../frameworks/servers.ts';
import { readWebProcess } from '../procfile.ts';
import { buildWithSiblings } from './build-siblings.ts';
import { commonFinding } from './common-finding.ts';
import { hasPackage, type JsProject } from './js-project.ts';
import { nodeMajorFor } from './node-version.ts';
import { startOfExportedApp } from './exported-app.ts';
import { runScript } from './package-manager.ts';
import { isDevelopmentServer } from './start-script.ts';

const ENTRIES = ['index', 'server', 'app', 'main', 'src/index', 'src/server', 'src/app', 'src/main', 'bin/www'];
const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', ''];

const PAGE_FOLDERS = ['public', 'dist', 'www', 'site', 'docs', 'static'];
/** They write scripts and styles beside pages that are there. */
const BUNDLERS = /\b(esbuild|rollup|webpack|browserify|tailwindcss|postcss|sass|bun build)\b/;

/** A package without a framework of the table: a program that runs, or pages beside a manifest. */
export async function describeServer(project: JsProject): Promise<Finding> {
  const library = serverLibraries.find(({ packages }) => hasPackage(project, ...packages));
  const { scripts } = project.manifest;
  const shared = {
    ...commonFinding(project),
    framework: library?.slug ?? null,
    buildCommand: scripts['build'] ? await buildCommand(project) : null,
  };
  const pages = library ? null : await findPages(project);
  if (pages !== null) return { ...shared, deploymentType: 'static', outputDirectory: pages };
  const startCommand = await chooseStart(project, library !== undefined);
  const isBun = project.manager.name === 'bun';
  return {
    ...shared,
    deploymentType: 'container',
    language: isBun ? 'bun' : 'node',
    runtime: isBun ? 'bun' : `node${nodeMajorFor(project.node.version)}`,
    startCommand,
    cacheFolders: ['node_modules/.cache'],
    noStart: NO_START,
    asStatic: library ? undefined : builtFiles(project),
  };
}

/** The folder of pages that are served as they are, or once a bundler has written beside them; null: none. */
async function findPages(project: JsProject): Promise<string | null> {
  if (await isFolderOfPages(project)) return '';
  const { files, manifest } = project;
  const { build, start } = manifest.scripts;
  if (start ? !isDevelopmentServer(start, manifest.scripts) : manifest.main && (await files.has(manifest.main)))
    return null;
  const isRoot = manifest.workspaces !== null || files.fileNames.has('pnpm-workspace.yaml');
  if (isRoot || files.fileNames.has('Procfile')) return null;
  if (build ? !BUNDLERS.test(build) : await findEntry(project)) return null;
  const page = await files.findFirst(PAGE_FOLDERS.map((folder) => `${folder}/index.html`));
  return page && posix.dirname(page);
}

/** A page in the root, and nothing that runs but a server for writing it. */
async function isFolderOfPages({ files, manifest }: JsProject): Promise<boolean> {
  if (!files.fileNames.has('index.html') || files.fileNames.has('Procfile')) return false;
  const { start } = manifest.scripts;
  if (start) return isDevelopmentServer(start, manifest.scripts);
  return !(manifest.main && (await files.has(manifest.main)));
}

/** A build without a start may well write pages; where to is only known if the script says so. */
function builtFiles({ manifest }: JsProject): Finding['asStatic'] {
  const { build, start } = manifest.scripts;
  if (!build || start) return undefined;
  const outputDirectory = build.match(/--(?:out-?dir|dist-dir|output(?:-path)?)[ =]+['"]?([^\s'"]+)/i)?.[1] ?? 'dist';
  return {
    outputDirectory,
    notes: [`The build is taken to write its pages to “${outputDirectory}”; set the output directory if not.`],
  };
}

const NO_START =
  'Nothing says how the project is started: add a start script to package.json, or create the application anew with a start command.';

async function buildCommand(project: JsProject): Promise<string> {
  return (await buildWithSiblings(project, 'build')) ?? runScript(project.manager, 'build');
}

async function chooseStart(project: JsProject, isServer: boolean): Promise<string | null> {
  const process = await readWebProcess(project.files);
  if (process) return process;
  const { scripts, main } = project.manifest;
  if (scripts['start']) return runScript(project.manager, 'start');
  const entry = main && (await project.files.has(main)) ? main : await findEntry(project);
  if (!entry) return null;
  if (project.manager.name === 'bun') return `bun ${entry.replace(/^\.\//, '')}`;
  const exported = isServer ? await startOfExportedApp(project.files, entry) : null;
  return exported ?? `node ${entry.replace(/^\.\//, '')}`;
}

async function findEntry(project: JsProject): Promise<string | null> {
  return project.files.findFirst(ENTRIES.flatMap((entry) => ENDINGS.map((ending) => entry + ending)));
}
