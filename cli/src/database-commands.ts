import type { Flag } from './flag.ts';
import { GaveUp } from './gave-up.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from './own-command.ts';
import { plainText } from './printable.ts';
import { UsageError } from './usage-error.ts';

const yes: Flag = {
  part: 'body',
  key: 'yes',
  name: 'yes',
  kind: 'switch',
  isRequired: false,
  isNullable: false,
  choices: [],
  description: 'do not ask; needed where nobody can be asked',
};

/** Data that no command brings back: whoever deletes it says so twice. */
export const databaseCommands: readonly OwnCommand[] = [
  {
    words: ['db', 'delete'],
    summary: 'Delete a database with its data and backups, for good',
    description:
      'Asks for its name first, unless --yes is given. Refused while environments are connected to it, unless --force is given.',
    endpoint: 'databases.delete',
    arguments: ['databaseId', 'force'],
    flags: [yes],
    run: deleteDatabase,
  },
];

async function deleteDatabase(run: CommandRun): Promise<CommandOutcome> {
  const { yes: isSure, ...rest } = run.body;
  const target = rest as unknown as Target;
  if (isSure !== true) await askForName(run, target);
  return { answer: await run.client.call('databases.delete', { body: target }), note: '' };
}

interface Target {
  databaseId: string;
  force?: boolean;
  targetOrganisationId?: string;
}

async function askForName({ client, input, complain }: CommandRun, deletion: Target): Promise<void> {
  if (!input.isTerminal) {
    throw new UsageError('This deletes the database with its data and backups, for good. Add --yes to do it.');
  }
  const { force: _, ...target } = deletion;
  const name = plainText((await client.call('databases.get', { body: target })).name);
  complain(`This deletes ${name} (${target.databaseId}) with its data and backups, for good.\n`);
  const typed = await input.ask('Type its name to go on: ');
  if (typed.trim() !== name.trim()) throw new GaveUp('That is not its name. Nothing was deleted.');
}
