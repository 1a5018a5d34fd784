import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import type { UserRow } from '../db/schema.ts';
import { createAccessTokens } from '../modules/accounts/access-token.ts';
import { createSession } from '../modules/accounts/create-session.ts';
import { organisationsOfUser, type OrganisationOfUser } from '../modules/accounts/user-store.ts';
import { recordActivity } from '../modules/activity/record-activity.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { findPerson } from './find-person.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

interface Options {
  email: string;
  organisation?: string;
  json?: true;
}

export function addSessionCreate(admin: Command, context: OperatorContext): void {
  admin
    .command('session')
    .description('sessions of people')
    .command('create')
    .summary('sign a person in and show the tokens')
    .description(
      'Signs a person in without a password. The session shows among their connected devices and can be revoked there.',
    )
    .requiredOption('--email <address>', 'whose session')
    .option('--organisation <id>', 'which organisation to name (default: the one they joined first)')
    .option('--json', 'print one JSON document: token, refreshToken, organisationId')
    .action((options: Options) => run(context, options));
}

async function run(context: OperatorContext, { email, organisation: wanted, json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { db } = installation.store;
  const user = await findPerson(db, email);
  const organisations = await organisationsOfUser(db, user.id);
  const organisation = choose(organisations, email, wanted);
  const { token, refreshToken } = await signIn(installation, user, organisations);
  printResult(context, {
    isJson: json === true,
    document: { token, refreshToken, organisationId: organisation.id },
    lines: [
      `${user.email} is signed in; organisation ${organisation.name} (${organisation.id}).`,
      '',
      'Access token, for 15 minutes:',
      token,
      '',
      'Refresh token, to be used once within 30 days:',
      refreshToken,
      '',
      'To use it: export LILAC_TOKEN=<access token>, then for instance: lilac whoami',
    ],
  });
}

function choose(organisations: OrganisationOfUser[], email: string, wanted: string | undefined): OrganisationOfUser {
  const chosen = wanted === undefined ? organisations[0] : organisations.find(({ id }) => id === wanted);
  if (chosen) return chosen;
  const theirs = organisations.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  throw new OperatorError(
    wanted === undefined ? `${email} belongs to no organisation.` : `${email} is no member of ${wanted}.`,
    `Organisations of ${email}: ${theirs}.`,
  );
}

/** Whoever is in an organisation that the session opens finds in its activity that it was not the person. */
async function signIn(
  installation: Installation,
  { id: userId, email }: Pick<UserRow, 'id' | 'email'>,
  organisations: readonly OrganisationOfUser[],
) {
  const keyring = openKeyring(installation.paths.keyring);
  const signingKey = await platformSecret({ store: installation.store, keyring }, 'access-token-signing');
  const accessTokens = createAccessTokens({ signingKey, clock: installation.clock });
  const device = `lilac admin, by ${whoIsThis()} on ${hostname()}`;
  return installation.store.db.transaction().execute(async (tx) => {
    for (const { id: organisationId } of organisations) {
      const deed = { action: 'operator_signed_in', subject: email, caller: 'operator' } as const;
      await recordActivity(tx, { organisationId, ...deed });
    }
    return createSession({ ...installation, accessTokens }, { userId, kind: 'operator', device, address: null }, tx);
  });
}

/** In a container the user may have no name. */
function whoIsThis(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
