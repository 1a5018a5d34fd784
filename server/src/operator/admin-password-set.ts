import type { Command } from 'commander';
import { resetPassword } from '../modules/accounts/reset-password.ts';
import { organisationsOfUser } from '../modules/accounts/user-store.ts';
import { recordActivity } from '../modules/activity/record-activity.ts';
import { findPerson } from './find-person.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { readPassword } from './read-password.ts';

interface Options {
  email: string;
  removeSecondFactor?: true;
  json?: true;
}

export function addPasswordSet(admin: Command, context: OperatorContext): void {
  admin
    .command('password')
    .description('passwords of people')
    .command('set')
    .summary('give a person who forgot the password another one')
    .description(
      'Gives a person another password and signs them out everywhere. Members of their organisations see that in the activity.',
    )
    .requiredOption('--email <address>', 'whose password')
    .requiredOption('--password-stdin', 'read the new password from standard input')
    .option('--remove-second-factor', 'also remove the second factor, for who lost what makes its codes')
    .option('--json', 'print one JSON document')
    .action((options: Options) => run(context, options));
}

async function run(context: OperatorContext, options: Options): Promise<void> {
  const newPassword = await readPassword(context.terminal);
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { db } = installation.store;
  const user = await findPerson(db, options.email);
  const organisations = await organisationsOfUser(db, user.id);
  const removesSecondFactor = options.removeSecondFactor === true;
  await resetPassword(installation, { user, newPassword, removesSecondFactor }, async (tx) => {
    for (const { id: organisationId } of organisations) {
      const deed = { action: 'operator_set_password', subject: user.email, caller: 'operator' } as const;
      await recordActivity(tx, { organisationId, ...deed });
    }
  });
  const factor = removesSecondFactor ? ' The second factor is removed: they can enrol another one.' : '';
  printResult(context, {
    isJson: options.json === true,
    document: { userId: user.id, email: user.email, secondFactorRemoved: removesSecondFactor },
    lines: [
      `${user.email} has another password, and is signed out everywhere.${factor}`,
      `They sign in at ${installation.config.publicUrl.origin} and can change it there, under Account.`,
    ],
  });
}
