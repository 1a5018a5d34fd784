import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

/** Nothing but the word of a Procfile, or a script that starts it all. */
export const procfile: Family = {
  name: 'Procfile',
  frameworks: [],
  async detect({ files }) {
    const script = await files.read('start.sh');
    const shell = script !== null && /^#!.*\bbash\b/.test(script) ? 'bash' : 'sh';
    const startCommand = (await readWebProcess(files)) ?? (script === null ? null : `${shell} start.sh`);
    if (!startCommand) return null;
    return { framework: null, language: 'other', deploymentType: 'container', startCommand };
  },
};
