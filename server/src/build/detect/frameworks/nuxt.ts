import { type JsProject, readConfig } from '../javascript/js-project.ts';
import { hasInOrder } from '../parse/lines.ts';
import { isSetTo } from '../parse/script-settings.ts';
import type { Delivery, JsFramework } from './js-framework.ts';
import { nitroServer } from './nitro.ts';

const STATIC_PRESETS = ['static', 'github-pages', 'github_pages'];

export const nuxt: JsFramework = {
  slug: 'nuxtjs',
  packages: ['nuxt', 'nuxt3', 'nuxt-edge', 'nuxt-nightly'],
  buildProgram: 'nuxt build',
  describe: describeNuxt,
};

/**
 * A server, unless the build script generates pages, the settings ask for them, or nothing is rendered and no
 * route of its own answers; `generate` always can.
 */
async function describeNuxt(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'nuxt.config');
  const { scripts, dependencies } = project.manifest;
  const isSecondMajor = /^\D*2\b/.test(dependencies['nuxt'] ?? '');
  const doesBuildGenerate = hasInOrder(scripts['build'] ?? '', /\bnux[ti]\b/, /\bgenerate\b/);
  const isInBrowser = config.find('ssr', 'routeRules')?.words[0] === 'false' || isSetTo(config.find('mode'), 'spa');
  const isGenerated =
    doesBuildGenerate ||
    (isInBrowser && !project.files.folderNames.has('server')) ||
    isSetTo(config.find('target'), 'static') ||
    STATIC_PRESETS.some((preset) => isSetTo(config.find('nitro.preset'), preset));
  return {
    deploymentType: isGenerated ? 'static' : 'container',
    static: {
      outputDirectory: isSecondMajor ? 'dist' : '.output/public',
      isSinglePage: isInBrowser,
      scripts: doesBuildGenerate ? ['build'] : ['generate'],
      buildProgram: 'nuxt generate',
    },
    server: isSecondMajor ? { program: 'nuxt start' } : nitroServer,
    cacheFolders: ['.nuxt', 'node_modules/.cache'],
    buildVariables: { NUXT_TELEMETRY_DISABLED: '1' },
  };
}
