import { posix } from 'node:path';
import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { onlyString, type ScriptSettings } from '../parse/script-settings.ts';
import { type Delivery, type JsFramework, serverRunning, singlePageIn } from './js-framework.ts';

/** Remix became React Router. */
export const reactRouters: readonly JsFramework[] = [
  {
    slug: 'remix',
    packages: ['@remix-run/dev', '@remix-run/serve'],
    isUsed: (project) => !hasPackage(project, '@react-router/dev'),
    buildProgram: 'remix vite:build',
    describe: async (project) =>
      describe(await readConfig(project, 'vite.config'), {
        build: 'build',
        server: 'remix-serve',
        refusal: 'Remix renders on a server here: set ssr: false in its Vite plugin',
      }),
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
];

async function describeRouter(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'react-router.config');
  return describe(config, {
    build: onlyString(config.find('buildDirectory')) ?? 'build',
    server: 'react-router-serve',
    refusal: 'React Router renders on a server here: set ssr: false in react-router.config',
  });
}

/** Without rendering on a server, one page is written that routes in the browser. */
function describe(config: ScriptSettings, names: { build: string; server: string; refusal: string }): Delivery {
  if (config.find('ssr')?.words[0] === 'false') return singlePageIn(posix.join(names.build, 'client'));
  return serverRunning(`${names.server} ./${posix.join(names.build, 'server/index.js')}`, {
    staticRefusal: `${names.refusal}.`,
  });
}
