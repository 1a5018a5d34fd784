import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

/** Nothing but the word of a Procfile, or a script that starts it all. */
export const procfile: Family = {
  name: 'Procfile',
  frameworks: [],
  async detect({ files }) {
    const script = files.fileNames.has('start.sh') ? 'sh start.sh' : null;
    const startCommand = (await readWebProcess(files)) ?? script;
    if (!startCommand) return null;
    return { framework: null, language: 'other', deploymentType: 'container', startCommand };
  },
};
