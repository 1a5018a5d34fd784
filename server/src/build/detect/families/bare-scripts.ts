import type { Family } from '../finding.ts';
import { DEFAULT_NODE_MAJOR } from '../javascript/node-version.ts';
import { readWebProcess } from '../procfile.ts';

const ENTRIES = ['server.js', 'index.js', 'app.js', 'main.js', 'server.mjs', 'index.mjs', 'server.ts', 'index.ts'];

/** A program of JavaScript without a manifest. */
export const bareScripts: Family = {
  name: 'bare JavaScript',
  frameworks: ['node'],
  async detect({ files }) {
    const entry = await files.findFirst(ENTRIES);
    if (!entry) return null;
    return {
      framework: null,
      language: 'node',
      deploymentType: 'container',
      runtime: `node${DEFAULT_NODE_MAJOR}`,
      startCommand: (await readWebProcess(files)) ?? `node ${entry}`,
    };
  },
};
