import { type JsProject, hasPackage, readConfig } from '../javascript/js-project.ts';
import { onlyString, type ScriptSettings } from '../parse/script-settings.ts';
import { type Delivery, type JsFramework, pagesIn } from './js-framework.ts';

const STATIC_ADAPTER = '@sveltejs/adapter-static';
const AUTO_ADAPTER = '@sveltejs/adapter-auto';

export const sveltekit: JsFramework = {
  slug: 'sveltekit',
  packages: ['@sveltejs/kit'],
  buildProgram: 'vite build',
  async describe(project) {
    const configs = [await readConfig(project, 'svelte.config'), await readConfig(project, 'vite.config')];
    const adapter = findAdapter(project, configs);
    const delivery =
      adapter === STATIC_ADAPTER ? describeFiles(configs) : describeServer(adapter, firstText(configs, 'out'));
    return { ...delivery, cacheFolders: ['.svelte-kit', 'node_modules/.vite'] };
  },
};

/** With a fallback page the adapter writes an application that routes in the browser. */
function describeFiles(configs: readonly ScriptSettings[]): Delivery {
  const isSinglePage = /^(index|200)\.html$/.test(firstText(configs, 'fallback') ?? '');
  return pagesIn(firstText(configs, 'pages') ?? 'build', { isSinglePage });
}

/** adapter-auto makes a Node server only where it believes to be on the platform that this variable tells of. */
function describeServer(adapter: string | null, out: string | null): Delivery {
  const isForeign = adapter !== null && ![AUTO_ADAPTER, '@sveltejs/adapter-node'].includes(adapter);
  return {
    deploymentType: 'container',
    server: {
      program: `node ${out ?? 'build'}`,
      buildVariables: adapter === AUTO_ADAPTER ? { GCP_BUILDPACKS: 'true' } : {},
    },
    staticRefusal: 'SvelteKit writes files only with @sveltejs/adapter-static in svelte.config.js: use it.',
    notes: isForeign
      ? [`${adapter} builds for another platform; use @sveltejs/adapter-node to run the site here.`]
      : [],
  };
}

/** What the configuration imports; else what is installed. */
function findAdapter(project: JsProject, configs: readonly ScriptSettings[]): string | null {
  const imported = configs.flatMap((config) => [...config.imports]).find((name) => /adapter/.test(name));
  if (imported) return imported;
  const installed = Object.keys(project.manifest.dependencies).filter((name) => name.startsWith('@sveltejs/adapter-'));
  if (installed.length === 1) return installed[0]!;
  return hasPackage(project, '@sveltejs/adapter-node') ? '@sveltejs/adapter-node' : (installed[0] ?? null);
}

function firstText(configs: readonly ScriptSettings[], key: string): string | null {
  return configs.map((config) => onlyString(config.find(key))).find((text) => text !== null) ?? null;
}
