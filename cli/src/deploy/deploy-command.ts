import type { OwnCommand } from '../frame/own-command.ts';
import { deployFlags } from './wanted.ts';

export const deployCommand: OwnCommand = {
  words: ['deploy'],
  summary: 'Deploy a folder, and follow it until it is served',
  description:
    'Packs the folder as .gitignore and .lilacignore say (never .git, node_modules, .env files nor private keys), uploads it, builds ' +
    'and releases it. The first time it makes an application and writes lilac.json, which links the folder to it; ' +
    'after that it deploys there. An application of a repository is built from the head of its branch. Ends with 0 ' +
    'when it is served, 1 when it failed. Ctrl-C takes everything back: the upload, the deployment, and an application ' +
    'that this made; pressed again it leaves at once.',
  endpoint: null,
  arguments: [],
  flags: deployFlags,
  tidiesUp: true,
  takesEnvironment: true,
  // What it needs is much, and other commands need none of it.
  run: async (run) => (await import('./deploy-folder.ts')).deployFolder(run),
};
