import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { type Delivery, type JsFramework, pagesIn, serverRunning, singlePageIn } from './js-framework.ts';
import { nextjs } from './nextjs.ts';
import { nitroFrameworks } from './nitro.ts';
import { nuxt } from './nuxt.ts';
import { reactRouters } from './react-router.ts';

/** Frameworks that render on a server or to files, as they are set up, and servers with a build of their own. */
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
  nextjs,
  nuxt,
  ...reactRouters,
  { slug: 'sapper', packages: ['sapper'], buildProgram: 'sapper export', describe: describeSapper },
  {
    slug: 'vike',
    packages: ['vike', 'vite-plugin-ssr'],
    isUsed: isWithoutStart,
    buildProgram: 'vike build',
    describe: async (project) => {
      const config = await readConfig(project, 'vite.config');
      const isWritten = config.find('prerender') !== null && config.find('prerender')?.words[0] !== 'false';
      return isWritten ? pagesIn('dist/client') : singlePageIn('dist/client');
    },
  },
  {
    slug: 'qwik',
    packages: ['@builder.io/qwik-city', '@qwik.dev/router'],
    buildProgram: 'qwik build',
    describe: async ({ files }) => ({
      deploymentType: (await files.hasFolder('adapters/static')) ? 'static' : 'container',
      server: { program: 'node server/entry.express', scripts: ['serve'] },
      static: { outputDirectory: 'dist', hint: 'Qwik City needs its static adapter to write every page to dist.' },
    }),
  },
  { slug: 'waku', packages: ['waku'], buildProgram: 'waku build', describe: () => serverRunning('waku start') },
  {
    slug: 'medusa',
    packages: ['@medusajs/medusa'],
    buildProgram: 'medusa build',
    describe: () => serverRunning('medusa start'),
  },
  {
    slug: 'mastra',
    packages: ['mastra'],
    buildProgram: 'mastra build',
    describe: () => serverRunning('node .mastra/output/index.mjs'),
  },
  { slug: 'xmcp', packages: ['xmcp'], buildProgram: 'xmcp build', describe: () => serverRunning('node dist/http.js') },
  ...nitroFrameworks,
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

function isWithoutStart({ manifest }: JsProject): boolean {
  return !manifest.scripts['start'];
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
