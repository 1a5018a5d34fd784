import type { Family } from '../finding.ts';
import { commonFinding } from '../javascript/common-finding.ts';
import { openJsProject } from '../javascript/js-project.ts';
import { runScript } from '../javascript/package-manager.ts';
import { hugoByNpm } from './hugo-by-npm.ts';
import { findHugoOrZola, isCertainlyHugo } from './site-generators.ts';

/** Hugo where nothing else can be meant, before the manifests that its modules and themes bring along. */
export const hugo: Family = {
  name: 'Hugo',
  frameworks: ['hugo'],
  async detect(project) {
    if (!(await isCertainlyHugo(project.files))) return null;
    const byNpm = await hugoByNpm.detect(project);
    if (byNpm) return byNpm;
    const found = await findHugoOrZola(project.files);
    const opened = found && (await openJsProject(project));
    if (!opened || found.framework !== 'hugo') return found;
    const assets = opened.manifest.scripts['build'] ? `${runScript(opened.manager, 'build')} && ` : '';
    return { ...commonFinding(opened), ...found, language: 'node', buildCommand: `${assets}${found.buildCommand}` };
  },
};
