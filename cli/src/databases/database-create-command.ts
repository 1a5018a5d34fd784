import { declarationOf } from '@lilac/contract/endpoints';
import { flagsOf, switchFlag } from '../frame/flag.ts';
import type { OwnCommand } from '../frame/own-command.ts';

const declaration = declarationOf('databases.create');

export const databaseCreateCommand: OwnCommand = {
  words: ['db', 'create'],
  summary: declaration.summary,
  description:
    'Ends when it can be used, or with --no-wait at once; Ctrl-C stops waiting, and it is made all the same. The ' +
    'catalogue says which types and tiers there are: lilac config platform.',
  endpoint: 'databases.create',
  arguments: flagsOf(declaration).map(({ key }) => key),
  flags: [switchFlag('wait', 'return at once, not when it can be used', { default: true })],
  tidiesUp: true,
  run: async (run) => (await import('./create-database.ts')).createDatabase(run),
};
