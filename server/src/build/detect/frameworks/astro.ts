import { hasPackage, type JsProject, readConfig } from '../javascript/js-project.ts';
import { withoutEndingSlashes } from '../parse/lines.ts';
import { onlyString, type ScriptSettings } from '../parse/script-settings.ts';
import type { Delivery, JsFramework } from './js-framework.ts';

const COMMON = {
  cacheFolders: ['.astro', 'node_modules/.astro', 'node_modules/.vite'],
  buildVariables: { ASTRO_TELEMETRY_DISABLED: '1' },
};
const FOREIGN_ADAPTER = /^@astrojs\/(vercel|netlify|cloudflare|deno)\b/;

export const astro: JsFramework = {
  slug: 'astro',
  packages: ['astro'],
  buildProgram: 'astro build',
  async describe(project) {
    const config = await readConfig(project, 'astro.config');
    const outDir = stripDot(onlyString(config.find('outDir')) ?? 'dist');
    const adapter = findAdapter(project, config);
    if (!isServer(config, adapter)) {
      return { deploymentType: 'static', static: { outputDirectory: outDir }, ...COMMON };
    }
    return describeServer(outDir, adapter);
  },
};

/** With an adapter, pages may be rendered on demand, unless the output is said to be static. */
function isServer(config: ScriptSettings, adapter: string | null): boolean {
  const output = config.find('output');
  if (output?.strings.some((mode) => mode === 'server' || mode === 'hybrid')) return true;
  return adapter !== null && onlyString(output) !== 'static';
}

function describeServer(outDir: string, adapter: string | null): Delivery {
  const isForeign = adapter !== null && FOREIGN_ADAPTER.test(adapter);
  return {
    deploymentType: 'container',
    server: { program: `node ./${outDir}/server/entry.mjs` },
    staticRefusal:
      "Astro renders on a server here: remove the adapter and output: 'server' to get a file for each page.",
    ...COMMON,
    notes: isForeign ? [`${adapter} builds for another platform; use @astrojs/node to run the site here.`] : [],
  };
}

/** One that is imported and used; a dependency alone says nothing. */
function findAdapter(project: JsProject, config: ScriptSettings): string | null {
  if (!config.find('adapter')) return null;
  const known =
    /^@astrojs\/(node|vercel|netlify|cloudflare|deno)\b|^@[\w-]+\/astro-adapter|astro-.*adapter|-adapter-astro/;
  const imported = [...config.imports].find((name) => known.test(name));
  return imported ?? (hasPackage(project, '@astrojs/node') ? '@astrojs/node' : null);
}

function stripDot(path: string): string {
  return withoutEndingSlashes(path.replace(/^\.\//, '')) || '.';
}
