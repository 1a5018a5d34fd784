import { posix } from 'node:path';
import { hasPackage, type JsProject } from '../javascript/js-project.ts';
import { parseJson, type Table, toTable, toText } from '../parse/read-data.ts';
import { type JsFramework, singlePageIn } from './js-framework.ts';

const CACHE = { cacheFolders: ['.angular/cache'] };

export const ionicAngular: JsFramework = {
  slug: 'ionic-angular',
  packages: ['@ionic/angular'],
  buildProgram: 'ng build',
  describe: async (project) => singlePageIn((await readAngularBuild(project)).outputDirectory, CACHE),
};

export const angular: JsFramework = {
  slug: 'angular',
  packages: ['@angular/cli', '@angular/build', '@angular-devkit/build-angular'],
  isUsed: (project) => hasPackage(project, '@angular/core') || project.files.fileNames.has('angular.json'),
  buildProgram: 'ng build',
  async describe(project) {
    const build = await readAngularBuild(project);
    if (!build.serverEntry) return singlePageIn(build.outputDirectory, CACHE);
    return {
      deploymentType: 'container',
      server: { program: `node ${build.serverEntry}`, scripts: serveScripts(project) },
      static: {
        outputDirectory: build.outputDirectory,
        isSinglePage: true,
        hint: 'Angular renders on the server here; set outputMode to "static" in angular.json to prerender every page.',
      },
      ...CACHE,
    };
  },
};

export interface AngularBuild {
  outputDirectory: string;
  /** Null where nothing is rendered on a server. */
  serverEntry: string | null;
}

/** The application builder puts what is served into `browser/`; the older one does not. */
async function readAngularBuild({ files }: JsProject): Promise<AngularBuild> {
  const workspace = parseJson('angular.json', (await files.read('angular.json')) ?? '{}');
  const projects = toTable(workspace['projects']);
  const name = chooseProject(projects, toText(workspace['defaultProject']));
  const project = toTable(name ? projects[name] : null);
  const build = toTable(toTable(project['architect'] ?? project['targets'])['build']);
  const options = toTable(build['options']);
  const path = options['outputPath'];
  const base = toText(path) ?? toText(toTable(path)['base']) ?? (name ? posix.join('dist', name) : 'dist');
  const isRendered = options['ssr'] !== undefined && options['ssr'] !== false && options['outputMode'] !== 'static';
  return {
    outputDirectory: usesBrowserFolder(build, options) ? posix.join(base, browserFolder(path)) : base,
    serverEntry: isRendered ? posix.join(base, 'server/server.mjs') : null,
  };
}

function chooseProject(projects: Table, wanted: string | null): string | undefined {
  if (wanted && wanted in projects) return wanted;
  const isApplication = (name: string) => (toTable(projects[name])['projectType'] ?? 'application') === 'application';
  return Object.keys(projects).find(isApplication);
}

function usesBrowserFolder(build: Table, options: Table): boolean {
  return toText(build['builder'])?.endsWith(':application') === true || 'browser' in options;
}

function browserFolder(path: unknown): string {
  const { browser } = toTable(path);
  return typeof browser === 'string' ? browser : 'browser';
}

function serveScripts({ manifest }: JsProject): string[] {
  return Object.keys(manifest.scripts).filter((name) => name.startsWith('serve:ssr'));
}
