import { plans, type Plan } from '@lilac/contract/plans';
import { Option, type Command } from 'commander';
import { createOwner } from '../modules/accounts/create-owner.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { readPassword } from './read-password.ts';

interface Options {
  email: string;
  password?: string;
  passwordStdin?: true;
  organisation: string;
  plan: Plan;
  firstName?: string;
  json?: true;
}

export function addOwnerCreate(admin: Command, context: OperatorContext): void {
  admin
    .command('owner')
    .description('accounts that own an organisation')
    .command('create')
    .summary('create an account that owns a new organisation')
    .description('Creates an account and an organisation that it owns. The server may run or not.')
    .requiredOption('--email <address>', 'the address to sign in with')
    .addOption(
      new Option(
        '--password <password>',
        'the password; other users of this machine can see it while this runs',
      ).conflicts('passwordStdin'),
    )
    .option('--password-stdin', 'read the password from standard input, which is the better way')
    .requiredOption('--organisation <name>', 'the name of the new organisation')
    .addOption(new Option('--plan <plan>', 'its plan').choices(plans).default('free'))
    .option('--first-name <name>', 'what to call the person (default: the address before the @)')
    .option('--json', 'print one JSON document')
    .action((options: Options, command: Command) => run(context, options, command));
}

async function run(context: OperatorContext, options: Options, command: Command): Promise<void> {
  const password = options.passwordStdin ? await readPassword(context.terminal) : options.password;
  if (password === undefined) command.error('error: give the password by --password-stdin (or --password)');
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: true });
  // An installation that begins with this command gets its key now.
  openKeyring(installation.paths.keyring);
  const { email, organisation: organisationName, plan, firstName } = options;
  const owner = { email, password, organisationName, plan, firstName, caller: 'operator' } as const;
  const created = await createOwner(installation, owner);
  printResult(context, {
    isJson: options.json === true,
    document: { ...created, email, plan },
    lines: [
      `${email} (${created.userId}) now owns the organisation ${organisationName} (${created.organisationId}), plan ${plan}.`,
      `Sign in at ${installation.config.publicUrl.origin}, or run: lilac admin session create --email ${email}`,
    ],
  });
}
