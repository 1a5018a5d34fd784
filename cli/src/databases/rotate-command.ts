import { yesFlag } from '../frame/ask-for-name.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { readSecret } from '../frame/secret-argument.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';

export const rotateCommand: OwnCommand = {
  words: ['db', 'rotate'],
  summary: 'Give a database another password; the old one stops working at once',
  description:
    'Asks first in a terminal, unless --yes is given. Connections that were opened with the old one are ended. ' +
    'Applications that the database is connected to get the new one, and their instances are replaced.',
  endpoint: 'databases.rotate-password',
  arguments: ['databaseId', 'newPassword'],
  flags: [{ ...yesFlag, description: 'do not ask' }],
  run: rotate,
};

async function rotate(run: CommandRun): Promise<null> {
  const { yes: isSure, ...rest } = run.body;
  const { newPassword: given, ...target } = rest as unknown as Target & { newPassword?: string };
  if (isSure !== true && canAsk(run)) await assertAgreed(run, target);
  const newPassword = given === '-' ? await readSecret(run.input) : given;
  const body = { ...target, ...(newPassword !== undefined && { newPassword }) };
  const answer = await run.client.call('databases.rotate-password', { body });
  await run.print(`${run.isJson ? JSON.stringify(answer, null, 2) : plainText(answer.connectionString)}\n`);
  return null;
}

interface Target {
  databaseId: string;
  targetOrganisationId?: string;
}

async function assertAgreed(run: CommandRun, body: Target): Promise<void> {
  const { name } = await run.client.call('databases.get', { body });
  run.complain('Whoever uses the old password is cut off at once; connected applications get the new one.\n');
  if (!(await confirm(run, `Give ${plainText(name)} another password?`))) throw new GaveUp('Nothing was changed.');
}
