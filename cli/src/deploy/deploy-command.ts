import type { OwnCommand } from '../frame/own-command.ts';
import { deployFlags } from './wanted.ts';

export const deployCommand: OwnCommand = {
  words: ['deploy'],
  summary: 'Deploy a folder, and follow it until it is served',
  description:
    'Packs the folder as .gitignore and .lilacignore say, without .git and node_modules, uploads it, builds and ' +
    'releases it. The first time it makes an application and writes lilac.json, which links the folder to it; after ' +
    'that it deploys there. An application of a repository is built from the head of its branch. Ends with 0 when it ' +
    'is served, 1 when it failed. Ctrl-C takes everything back: the upload, the deployment, and an application that ' +
    'this made. Once visitors are being switched to it, it is too late: that is said, and how it ended. Pressed again ' +
    'it leaves at once. Files that hold secrets are left out and named: .env, .env.*, *.env, .env~, .envrc, .dev.vars, ' +
    '.netrc, .pgpass, .git-credentials, .ssh/, .aws/, .kube/config, *.tfstate, *.tfstate.backup, id_rsa, id_dsa, ' +
    'id_ecdsa, id_ed25519, *.key, *.p12, *.pfx, *.ppk, a *.pem with a private key, and what begins with one. A line ' +
    'such as "!public.env" in .lilacignore takes one in.',
  endpoint: null,
  arguments: [],
  flags: deployFlags,
  tidiesUp: true,
  takesEnvironment: true,
  // What it needs is much, and other commands need none of it.
  run: async (run) => (await import('./deploy-folder.ts')).deployFolder(run),
};
