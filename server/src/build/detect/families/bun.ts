import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

const ENTRIES = ['index.ts', 'index.js', 'server.ts', 'src/index.ts', 'src/server.ts', 'main.ts'];

/** Scripts that Bun runs without a manifest; with one, the rules for JavaScript know Bun as a package manager. */
export const bun: Family = {
  name: 'Bun',
  frameworks: ['bun'],
  async detect({ files }) {
    const { fileNames } = files;
    if (
      fileNames.has('package.json') ||
      !['bunfig.toml', 'bun.lock', 'bun.lockb'].some((name) => fileNames.has(name))
    ) {
      return null;
    }
    const entry = await files.findFirst(ENTRIES);
    if (!entry) return null;
    return {
      framework: null,
      language: 'bun',
      deploymentType: 'container',
      runtime: 'bun',
      startCommand: (await readWebProcess(files)) ?? `bun ${entry}`,
    };
  },
};
