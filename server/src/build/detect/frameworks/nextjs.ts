import { type JsProject, readConfig } from '../javascript/js-project.ts';
import { isSetTo, onlyString } from '../parse/script-settings.ts';
import type { Delivery, JsFramework } from './js-framework.ts';

export const nextjs: JsFramework = {
  slug: 'nextjs',
  packages: ['next'],
  buildProgram: 'next build',
  describe: describeNext,
};

/** An export is written to `out`, or to the folder that the build is told to use. */
async function describeNext(project: JsProject): Promise<Delivery> {
  const config = await readConfig(project, 'next.config');
  const isExported = isSetTo(config.find('output'), 'export') || isExportScript(project);
  return {
    deploymentType: isExported ? 'static' : 'container',
    static: {
      outputDirectory: (isExported && onlyString(config.find('distDir'))) || 'out',
      hint: "Next.js writes files only when next.config has output: 'export'; without it there is no folder “out” to serve.",
    },
    server: { program: 'next start' },
    cacheFolders: ['.next/cache'],
    buildVariables: { NEXT_TELEMETRY_DISABLED: '1' },
  };
}

/** `next export` was a command of its own before version 14. */
function isExportScript({ manifest }: JsProject): boolean {
  return /\bnext export\b/.test(manifest.scripts['build'] ?? '');
}
