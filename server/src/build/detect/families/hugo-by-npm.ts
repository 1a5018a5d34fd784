import type { Family } from '../finding.ts';
import { commonFinding } from '../javascript/common-finding.ts';
import { openJsProject } from '../javascript/js-project.ts';
import { hasManifest } from '../javascript/package-manifest.ts';
import { runProgram, runScript } from '../javascript/package-manager.ts';
import { parseToml, toTable, toText } from '../parse/read-data.ts';

/** Sites of Hugo whose program npm installs, or whose scripts call it. */
export const hugoByNpm: Family = {
  name: 'Hugo by npm',
  frameworks: ['hugo'],
  async detect(project) {
    if (!hasManifest(project.files)) return null;
    const opened = await openJsProject(project);
    if (!opened) return null;
    const { scripts, dependencies } = opened.manifest;
    const script = ['build', 'build:hugo'].find((name) => /\bhugo\b/.test(scripts[name] ?? ''));
    const isInstalled = ['hugo-bin', 'hugo-extended', 'hugo-cli'].some((name) => name in dependencies);
    if (!script && !isInstalled) return null;
    const netlify = parseToml('netlify.toml', (await project.files.read('netlify.toml')) ?? '');
    return {
      ...commonFinding(opened),
      framework: 'hugo',
      deploymentType: 'static',
      buildCommand: scripts['build']
        ? runScript(opened.manager, 'build')
        : runProgram(opened.manager, 'hugo --gc --minify'),
      outputDirectory: toText(toTable(netlify['build'])['publish']) ?? 'public',
    };
  },
};
