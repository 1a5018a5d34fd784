import { askForName, yesFlag } from '../frame/ask-for-name.ts';
import { databaseBackupCommand } from './database-backup-command.ts';
import { databaseConnectCommand } from './database-connect-command.ts';
import { databaseCreateCommand } from './database-create-command.ts';
import { databaseUrlCommand } from './database-url-command.ts';
import { rotateCommand } from './rotate-command.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { plainText } from '../terminal/printable.ts';

export const databaseCommands: readonly OwnCommand[] = [
  databaseCreateCommand,
  databaseUrlCommand,
  databaseConnectCommand,
  databaseBackupCommand,
  rotateCommand,
  // Data that no command brings back: whoever deletes it says so twice.
  {
    words: ['db', 'delete'],
    summary: 'Delete a database with its data and backups, for good',
    description:
      'Asks for its name first, unless --yes is given. Refused while environments are connected to it, unless --force is given.',
    endpoint: 'databases.delete',
    arguments: ['databaseId', 'force'],
    flags: [yesFlag],
    run: deleteDatabase,
  },
];

async function deleteDatabase(run: CommandRun): Promise<CommandOutcome> {
  const { yes: isSure, ...rest } = run.body;
  const target = rest as unknown as Target;
  const { force: _, ...database } = target;
  if (isSure !== true) {
    await askForName(run, {
      refusal: 'This deletes the database with its data and backups, for good.',
      read: async () => {
        const name = plainText((await run.client.call('databases.get', { body: database })).name);
        const warning = `This deletes ${name} (${database.databaseId}) with its data and backups, for good.`;
        return { warning, name, otherwise: 'Nothing was deleted.' };
      },
    });
  }
  return { answer: await run.client.call('databases.delete', { body: target }), note: '' };
}

interface Target {
  databaseId: string;
  force?: boolean;
  targetOrganisationId?: string;
}
