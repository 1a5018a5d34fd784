import { posix } from 'node:path';
import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { onlyString, type ScriptValue } from '../parse/script-settings.ts';
import { type Delivery, type JsFramework, pagesIn, serverRunning, singlePageIn } from './js-framework.ts';

/** Nitro would otherwise follow the platform it believes to run on. */
const NITRO_SERVER = { buildVariables: { NITRO_PRESET: 'node-server' } };
const NITRO_PROGRAM = 'node .output/server/index.mjs';

/** Frameworks that render on a server or to files, as they are set up. */
export const metaFrameworks: readonly JsFramework[] = [
  {
    slug: 'expo',
    packages: ['expo'],
    isUsed: (project) => hasPackage(project, 'react-native-web'),
    buildProgram: 'expo export --platform web',
    describe: () => singlePageIn('dist', { scripts: ['build', 'build:web', 'export'] }),
  },
  {
    slug: 'redwoodjs',
    packages: ['@redwoodjs/core', '@redwoodjs/api', '@cedarjs/core'],
    buildProgram: 'rw build',
    describe: () => serverRunning('rw serve', { static: { outputDirectory: 'web/dist', isSinglePage: true } }),
  },
  { slug: 'blitzjs', packages: ['blitz'], buildProgram: 'blitz build', describe: () => serverRunning('blitz start') },
  { slug: 'nextjs', packages: ['next'], buildProgram: 'next build', describe: describeNext },
  {
    slug: 'nuxtjs',
    packages: ['nuxt', 'nuxt3', 'nuxt-edge', 'nuxt-nightly', 'nuxi'],
    buildProgram: 'nuxt build',
    describe: describeNuxt,
  },
  {
    slug: 'remix',
    packages: ['@remix-run/dev', '@remix-run/serve'],
    isUsed: (project) => !hasPackage(project, '@react-router/dev'),
    buildProgram: 'remix vite:build',
    describe: describeRemix,
  },
  {
    slug: 'react-router',
    packages: ['@react-router/dev'],
    buildProgram: 'react-router build',
    describe: describeRouter,
  },
  {
    slug: 'hydrogen',
    packages: ['@shopify/hydrogen'],
    buildProgram: 'shopify hydrogen build',
    describe: () => serverRunning('shopify hydrogen preview'),
  },
  { slug: 'sapper', packages: ['sapper'], buildProgram: 'sapper export', describe: describeSapper },
  {
    slug: 'tanstack-start',
    packages: ['@tanstack/react-start', '@tanstack/solid-start', '@tanstack/start', '@tanstack/vue-start'],
    buildProgram: 'vite build',
    describe: describeTanstack,
  },
  {
    slug: 'solidstart-1',
    packages: ['@solidjs/start', 'solid-start'],
    buildProgram: 'vinxi build',
    describe: () =>
      serverRunning(NITRO_PROGRAM, {
        ...NITRO_SERVER,
        static: { outputDirectory: '.output/public', isSinglePage: true, hint: staticPreset('app.config.ts') },
      }),
  },
  {
    slug: 'analog',
    packages: ['@analogjs/platform'],
    buildProgram: 'vite build',
    describe: () =>
      serverRunning('node dist/analog/server/index.mjs', {
        static: { outputDirectory: 'dist/analog/public', isSinglePage: true },
      }),
  },
  {
    slug: 'qwik',
    packages: ['@builder.io/qwik-city', '@qwik.dev/router'],
    buildProgram: 'qwik build',
    describe: () => ({
      deploymentType: 'container',
      server: { program: 'node server/entry.express', scripts: ['serve'] },
      static: { outputDirectory: 'dist', hint: 'Qwik City needs its static adapter to write every page to dist.' },
    }),
  },
  {
    slug: 'mastra',
    packages: ['mastra'],
    buildProgram: 'mastra build',
    describe: () => serverRunning('node .mastra/output/index.mjs'),
  },
  { slug: 'xmcp', packages: ['xmcp'], buildProgram: 'xmcp build', describe: () => serverRunning('node dist/http.js') },
  {
    slug: 'nitro',
    packages: ['nitropack', 'nitro', 'nitropack-nightly'],
    buildProgram: 'nitro build',
    describe: () =>
      serverRunning(NITRO_PROGRAM, {
        ...NITRO_SERVER,
        static: { outputDirectory: '.output/public', hint: staticPreset('nitro.config.ts') },
      }),
  },
  {
    slug: 'payload',
    packages: ['payload'],
    isUsed: ({ manifest }) => /\bpayload build\b/.test(manifest.scripts['build'] ?? ''),
    describe: () => serverRunning('node dist/server.js'),
  },
  {
    slug: 'strapi',
    packages: ['@strapi/strapi', 'strapi'],
    buildProgram: 'strapi build',
    describe: () => serverRunning('strapi start'),
  },
  {
    slug: 'keystone',
    packages: ['@keystone-6/core'],
    buildProgram: 'keystone build',
    describe: () => serverRunning('keystone start'),
  },
  {
    slug: 'adonisjs',
    packages: ['@adonisjs/core'],
    buildProgram: 'node ace build',
    describe: () => serverRunning('node build/bin/server.js'),
  },
  {
    slug: 'nestjs',
    packages: ['@nestjs/core'],
    buildProgram: 'nest build',
    describe: () => ({ deploymentType: 'container', server: { program: 'node dist/main', scripts: ['start:prod'] } }),
  },
];

async function describeNext(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'next.config');
  const isExported = isChosen(config.find('output'), 'export') || isExportScript(project);
  const outputDirectory = isExported ? (onlyString(config.find('distDir')) ?? 'out') : 'out';
  const isStandalone = isChosen(config.find('output'), 'standalone');
  return {
    deploymentType: isExported ? 'static' : 'container',
    static: {
      outputDirectory,
      hint: "Next.js writes files only when next.config has output: 'export'; without it the folder “out” stays empty.",
    },
    server: { program: 'next start' },
    cacheFolders: ['.next/cache'],
    buildVariables: { NEXT_TELEMETRY_DISABLED: '1' },
    notes: isStandalone ? ['Next.js builds a standalone server here; `next start` serves it all the same.'] : [],
  };
}

/** `next export` was a command of its own before version 14. */
function isExportScript({ manifest }: JsProject): boolean {
  return /\bnext export\b/.test(manifest.scripts['build'] ?? '');
}

/** Where a value depends on something, a build is one for production. */
function isChosen(value: ScriptValue | null, choice: string): boolean {
  if (!value?.strings.includes(choice)) return false;
  return value.strings.length === 1
    ? !value.words.includes('process') || value.words.includes('NODE_ENV')
    : value.words.includes('NODE_ENV');
}

async function describeNuxt(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'nuxt.config');
  const { scripts, dependencies } = project.manifest;
  const isSecond = /^\D*2\b/.test(dependencies['nuxt'] ?? '');
  const isGenerated =
    /\bnux(t|i)\b.*\bgenerate\b/.test(scripts['build'] ?? '') ||
    isChosen(config.find('target'), 'static') ||
    ['static', 'github-pages', 'github_pages'].some((preset) => isChosen(config.find('nitro.preset'), preset));
  const isSinglePage = config.find('ssr')?.words[0] === 'false';
  return {
    deploymentType: isGenerated ? 'static' : 'container',
    static: {
      outputDirectory: isSecond ? 'dist' : '.output/public',
      isSinglePage,
      scripts: /\bgenerate\b/.test(scripts['build'] ?? '') ? ['build', 'generate'] : ['generate'],
      buildProgram: 'nuxt generate',
    },
    server: { program: isSecond ? 'nuxt start' : NITRO_PROGRAM },
    cacheFolders: ['.nuxt', 'node_modules/.cache'],
    buildVariables: { NUXT_TELEMETRY_DISABLED: '1', ...(isGenerated || isSecond ? {} : NITRO_SERVER.buildVariables) },
  };
}

async function describeRemix(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'vite.config');
  const isSinglePage = config.find('ssr')?.words[0] === 'false';
  return {
    deploymentType: isSinglePage ? 'static' : 'container',
    static: {
      outputDirectory: 'build/client',
      isSinglePage: true,
      hint: 'Remix writes a page to build/client only with ssr: false in its Vite plugin.',
    },
    server: { program: 'remix-serve ./build/server/index.js' },
  };
}

async function describeRouter(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'react-router.config');
  const build = onlyString(config.find('buildDirectory')) ?? 'build';
  return {
    deploymentType: config.find('ssr')?.words[0] === 'false' ? 'static' : 'container',
    static: {
      outputDirectory: posix.join(build, 'client'),
      isSinglePage: true,
      hint: 'React Router writes a page to build/client only with ssr: false in react-router.config.',
    },
    server: { program: `react-router-serve ./${posix.join(build, 'server/index.js')}` },
  };
}

function describeSapper({ manifest }: JsProject): Delivery {
  const { build, export: exported } = manifest.scripts;
  const isExported = /\bsapper export\b/.test(build ?? exported ?? '');
  return {
    ...pagesIn('__sapper__/export', { scripts: exported ? ['export'] : ['build'], buildProgram: 'sapper export' }),
    deploymentType: isExported ? 'static' : 'container',
    server: { program: 'node __sapper__/build' },
  };
}

/** Builds with Nitro have a server of their own; the others a fetch handler, which srvx serves. */
function describeTanstack(project: JsProject): Delivery {
  const hasNitro = hasPackage(
    project,
    'nitro',
    'nitropack',
    'vinxi',
    '@tanstack/start',
    '@tanstack/nitro-v2-vite-plugin',
  );
  return {
    deploymentType: 'container',
    server: { program: hasNitro ? NITRO_PROGRAM : 'srvx --prod -s ../client dist/server/server.js' },
    static: {
      outputDirectory: hasNitro ? '.output/public' : 'dist/client',
      isSinglePage: true,
      hint: 'TanStack Start writes pages only with spa mode or prerendering in its Vite plugin.',
    },
    buildVariables: hasNitro ? NITRO_SERVER.buildVariables : {},
  };
}

function staticPreset(file: string): string {
  return `Pages are written to files only with the preset “static” in ${file}.`;
}
