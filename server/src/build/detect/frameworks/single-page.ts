import { posix } from 'node:path';
import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { isDevelopmentServer, isOwnServer } from '../javascript/start-script.ts';
import { parseJson, toTable, toText } from '../parse/read-data.ts';
import { onlyString } from '../parse/script-settings.ts';
import { type Delivery, type JsFramework, pagesIn, singlePageIn } from './js-framework.ts';

/** Tools that build one page which routes in the browser. */
export const singlePageTools: readonly JsFramework[] = [
  {
    slug: 'ember',
    packages: ['ember-cli', 'ember-source'],
    buildProgram: 'ember build --environment=production',
    describe: () => singlePageIn('dist'),
  },
  {
    slug: 'vue',
    packages: ['@vue/cli-service'],
    buildProgram: 'vue-cli-service build',
    describe: async (project) =>
      singlePageIn(onlyString((await readConfig(project, 'vue.config')).find('outputDir')) ?? 'dist', {
        cacheFolders: ['node_modules/.cache'],
      }),
  },
  {
    slug: 'ionic-react',
    packages: ['@ionic/react'],
    buildProgram: 'ionic build',
    describe: async (project) =>
      singlePageIn(hasPackage(project, 'react-scripts') ? 'build' : await viteOutput(project)),
  },
  {
    slug: 'create-react-app',
    packages: ['react-scripts', 'react-dev-utils', '@craco/craco', 'react-app-rewired'],
    buildProgram: 'react-scripts build',
    describe: (project) => singlePageIn(reactScriptsOutput(project), { cacheFolders: ['node_modules/.cache'] }),
  },
  {
    slug: 'preact',
    packages: ['preact-cli'],
    buildProgram: 'preact build',
    describe: () => singlePageIn('build'),
  },
  {
    slug: 'stencil',
    packages: ['@stencil/core'],
    buildProgram: 'stencil build',
    describe: async (project) =>
      singlePageIn(onlyString((await readConfig(project, 'stencil.config')).find('dir')) ?? 'www', {
        cacheFolders: ['.stencil'],
      }),
  },
  {
    slug: 'umijs',
    packages: ['umi', '@umijs/max'],
    buildProgram: 'umi build',
    describe: async (project) => {
      const own = await readConfig(project, '.umirc');
      const other = await readConfig(project, 'config/config');
      return singlePageIn(onlyString(own.find('outputPath')) ?? onlyString(other.find('outputPath')) ?? 'dist');
    },
  },
  {
    slug: 'brunch',
    packages: ['brunch'],
    buildProgram: 'brunch build --production',
    describe: () => pagesIn('public'),
  },
  {
    slug: 'polymer',
    packages: ['polymer-cli'],
    buildProgram: 'polymer build',
    describe: async (project) => singlePageIn(await polymerOutput(project)),
  },
  { slug: 'sanity-v3', packages: ['sanity'], buildProgram: 'sanity build', describe: () => singlePageIn('dist') },
  {
    slug: 'sanity-v2',
    packages: ['@sanity/base', '@sanity/core', '@sanity/default-layout'],
    buildProgram: 'sanity build',
    describe: () => singlePageIn('dist'),
  },
  {
    slug: 'quasar',
    packages: ['@quasar/app-vite', '@quasar/app-webpack', '@quasar/app'],
    buildProgram: 'quasar build',
    describe: () => singlePageIn('dist/spa'),
  },
  {
    slug: 'svelte',
    packages: ['svelte'],
    isUsed: (project) => hasPackage(project, 'sirv-cli') && hasPackage(project, 'rollup'),
    describe: () => singlePageIn('public'),
  },
  {
    slug: 'rsbuild',
    packages: ['@rsbuild/core'],
    buildProgram: 'rsbuild build',
    describe: async (project) =>
      singlePageIn(onlyString((await readConfig(project, 'rsbuild.config')).find('distPath.root')) ?? 'dist'),
  },
  { slug: 'slidev', packages: ['@slidev/cli'], buildProgram: 'slidev build', describe: () => singlePageIn('dist') },
  {
    slug: 'vite',
    packages: ['vite', 'rolldown-vite', 'vite-plus'],
    isUsed: isViteSite,
    buildProgram: 'vite build',
    describe: describeVite,
  },
  {
    slug: 'parcel',
    packages: ['parcel', 'parcel-bundler'],
    isUsed: isNoServer,
    buildProgram: 'parcel build index.html',
    describe: (project) =>
      singlePageIn(argumentOf(project, /--(?:dist-dir|out-dir)[ =]+['"]?([^\s'"]+)/) ?? 'dist', {
        cacheFolders: ['.parcel-cache', '.cache'],
      }),
  },
  {
    slug: 'snowpack',
    packages: ['snowpack'],
    isUsed: isNoServer,
    buildProgram: 'snowpack build',
    describe: () => singlePageIn('build'),
  },
  {
    slug: 'rspack',
    packages: ['@rspack/cli', '@rspack/core'],
    isUsed: (project) => isNoServer(project) && /\brspack\b/.test(project.manifest.scripts['build'] ?? ''),
    describe: async (project) =>
      singlePageIn(onlyString((await readConfig(project, 'rspack.config')).find('output.path')) ?? 'dist', {
        cacheFolders: ['node_modules/.cache'],
      }),
  },
  {
    slug: 'webpack',
    packages: ['webpack-dev-server', 'html-webpack-plugin'],
    isUsed: (project) => isNoServer(project) && /\bwebpack\b/.test(project.manifest.scripts['build'] ?? ''),
    describe: async (project) =>
      singlePageIn(onlyString((await readConfig(project, 'webpack.config')).find('output.path')) ?? 'dist', {
        cacheFolders: ['node_modules/.cache'],
      }),
  },
];

/** Vite also builds libraries and servers: a site has a page, or nothing of its own that would run. */
function isViteSite(project: JsProject): boolean {
  return (
    isNoServer(project) && (Boolean(project.manifest.scripts['build']) || project.files.fileNames.has('index.html'))
  );
}

function isNoServer({ manifest }: JsProject): boolean {
  const { start } = manifest.scripts;
  return !start || isDevelopmentServer(start, manifest.scripts) || !isOwnServer(start);
}

async function describeVite(project: JsProject): Promise<Delivery> {
  const { strings = [] } = (await readConfig(project, 'vite.config')).find('appType') ?? {};
  const hasPages = strings.includes('mpa') || hasPackage(project, 'vite-ssg', 'vite-react-ssg');
  return singlePageIn(await viteOutput(project), {
    isSinglePage: !hasPages,
    cacheFolders: ['node_modules/.vite', 'node_modules/.cache'],
  });
}

async function viteOutput(project: JsProject): Promise<string> {
  const config = await readConfig(project, 'vite.config');
  const root = onlyString(config.find('root')) ?? '';
  const output = argumentOf(project, /--outDir[ =]+['"]?([^\s'"]+)/) ?? onlyString(config.find('outDir')) ?? 'dist';
  return posix.join(root.startsWith('/') ? '' : root, output);
}

function reactScriptsOutput(project: JsProject): string {
  return argumentOf(project, /BUILD_PATH=['"]?([^\s'"]+)/) ?? 'build';
}

function argumentOf({ manifest }: JsProject, pattern: RegExp): string | null {
  return manifest.scripts['build']?.match(pattern)?.[1] ?? null;
}

/** A build for each set of browsers; the first named is served. */
async function polymerOutput(project: JsProject): Promise<string> {
  const { builds } = parseJson('polymer.json', (await project.files.read('polymer.json')) ?? '{}');
  const first = toTable(Array.isArray(builds) ? builds[0] : null);
  const name = toText(first['name']) ?? toText(first['preset']);
  return name ? posix.join('build', name) : 'build';
}
