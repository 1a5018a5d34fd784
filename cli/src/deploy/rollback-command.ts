import { yesFlag } from '../frame/ask-for-name.ts';
import { switchFlag } from '../frame/flag.ts';
import type { OwnCommand } from '../frame/own-command.ts';

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;

export const rollbackCommand: OwnCommand = {
  words: ['rollback'],
  summary: 'Serve an earlier deployment again, without a build',
  description:
    'Left out, it is what was served before what is served now, passing over what was itself rolled back from. Tells what will be served and asks, unless --yes is given or ' +
    'nobody can be asked; ends when it is served. Ctrl-C cancels it, as long as visitors are not being switched to it. ' +
    'The next deployment goes forward again.',
  endpoint: null,
  arguments: [],
  flags: [
    { ...usual, key: 'deployment', name: 'deployment', isPositional: true, description: 'its id' },
    {
      ...usual,
      key: 'app',
      name: 'app',
      description: 'the application (its id, name or subdomain) or the id of an environment; left out: the linked one',
    },
    switchFlag('wait', 'only start it', { default: true }),
    { ...yesFlag, description: 'do not ask' },
  ],
  tidiesUp: true,
  takesEnvironment: true,
  run: async (run) => (await import('./roll-back.ts')).rollBack(run),
};
