import { type Flag, switchFlag } from '../frame/flag.ts';
import type { OwnCommand } from '../frame/own-command.ts';

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;

const application: Flag = {
  ...usual,
  key: 'app',
  name: 'app',
  isPositional: true,
  description: 'the application: its id, name or subdomain; left out, you are asked',
};

const name: Flag = {
  ...usual,
  key: 'name',
  name: 'name',
  description: 'make a new application of this name, by deploying the folder',
};

const common = {
  endpoint: 'applications.list',
  arguments: [],
  choosesOrganisation: true,
  takesEnvironment: true,
} as const;

export const linkCommands: readonly OwnCommand[] = [
  {
    ...common,
    words: ['init'],
    summary: 'Make the folder a project: link it to an application, or deploy a new one',
    description:
      'Asks for the application, or whether to make a new one of this folder. Writes lilac.json; commands called in ' +
      'the folder or below it are about that application then. Where nobody can be asked, name the application or ' +
      'give --name.',
    flags: [application, name],
    tidiesUp: true,
    run: async (run) => (await import('./init-folder.ts')).initFolder(run),
  },
  {
    ...common,
    words: ['link'],
    summary: 'Link the folder to an application',
    description:
      'Writes lilac.json, which names the platform, the organisation, the application and the environment (its ' +
      'production, or the one that --env names). Commands called in the folder or below it are about that one then. ' +
      'There is no secret in the file: commit it, so that others and CI know as well.',
    flags: [application],
    run: async (run) => (await import('./link-folder.ts')).linkFolder(run),
  },
  {
    ...common,
    words: ['unlink'],
    endpoint: null,
    takesEnvironment: undefined,
    summary: 'Forget what the folder is linked to',
    description: 'Takes the link out of lilac.json, and removes the file where nothing else is in it.',
    run: async (run) => (await import('./unlink-folder.ts')).unlinkFolder(run),
  },
  {
    words: ['open'],
    summary: "Open an environment's address in the browser",
    description:
      'Prints the address as well; where there is no browser, that is all. The environment is given by its id, or by ' +
      'the name or subdomain of its application; left out, it is the linked one.',
    endpoint: 'environments.get',
    arguments: ['environmentId'],
    flags: [
      switchFlag('console', 'its page in the console instead'),
      switchFlag('browser', 'only print the address', { default: true }),
    ],
    run: async (run) => (await import('./open-environment.ts')).openEnvironment(run),
  },
];
