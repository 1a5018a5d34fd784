import { hasPackage, type JsProject } from '../javascript/js-project.ts';
import { type Delivery, type JsFramework, type ServerDelivery, serverRunning } from './js-framework.ts';

/** Nitro would otherwise build for the platform that it believes to run on. */
export const nitroServer: ServerDelivery = {
  program: 'node .output/server/index.mjs',
  buildVariables: { NITRO_PRESET: 'node-server' },
};
const nitroFiles = { outputDirectory: '.output/public', buildVariables: { NITRO_PRESET: 'static' } };

/** What builds its server with Nitro. */
export const nitroFrameworks: readonly JsFramework[] = [
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
    describe: () => ({
      deploymentType: 'container',
      server: nitroServer,
      static: { ...nitroFiles, isSinglePage: true, hint: hintFor('app.config.ts') },
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
    slug: 'nitro',
    packages: ['nitropack', 'nitro', 'nitropack-nightly'],
    buildProgram: 'nitro build',
    describe: () => ({
      deploymentType: 'container',
      server: nitroServer,
      static: { ...nitroFiles, hint: hintFor('nitro.config.ts') },
    }),
  },
];

/** Builds with Nitro have a server of their own; the others a fetch handler, which srvx serves. */
function describeTanstack(project: JsProject): Delivery {
  const hasNitro = hasPackage(project, 'nitro', 'nitropack', 'vinxi', '@tanstack/nitro-v2-vite-plugin');
  const hint = 'TanStack Start writes pages only with its SPA mode or prerendering switched on.';
  if (hasNitro)
    return { deploymentType: 'container', server: nitroServer, static: { ...nitroFiles, isSinglePage: true, hint } };
  return serverRunning('srvx --prod -s ../client dist/server/server.js', {
    static: { outputDirectory: 'dist/client', isSinglePage: true, hint },
  });
}

function hintFor(file: string): string {
  return `It is built with Nitro's preset “static”, unless ${file} names another one.`;
}
