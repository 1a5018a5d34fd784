import type { OwnCommand } from '../frame/own-command.ts';

export const databaseConnectCommand: OwnCommand = {
  words: ['db', 'connect'],
  summary: 'Open a session in a database, with psql or mariadb',
  description:
    'Starts the client of the database on this machine, encrypted as the platform wants it, with the password in its ' +
    'environment and never in its arguments. Takes the id or the name of the database. What is written to standard ' +
    'input is run; the exit code is that of the client.',
  endpoint: 'databases.connection-string',
  arguments: ['databaseId'],
  tidiesUp: true,
  run: async (run) => (await import('./connect-database.ts')).connectDatabase(run),
};
