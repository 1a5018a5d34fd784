import type { Client } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { changesBetween, type Variables } from '@lilac/contract/variable-changes';
import { GaveUp } from './gave-up.ts';
import type { Input } from './input.ts';
import { askForNewSecret, readSecret } from './secret-argument.ts';
import { UsageError } from './usage-error.ts';

export interface Preparation {
  client: Client;
  /** What will be sent; may be added to. */
  body: Record<string, unknown>;
  input: Input;
  complain: (text: string) => void;
}

/** What has to happen before a call, where the arguments alone do not do. */
export const preparations: Partial<Record<EndpointName, (preparation: Preparation) => Promise<void>>> = {
  'environments.password': fillPassword,
  'environments.scale': requireBound,
  'environments.update': warnOfReplacedVariables,
  'databases.create': (preparation) => readGivenSecret(preparation, 'adminPassword'),
};

/** What a person has to know of that, in the help. */
export const preparationHints: Partial<Record<EndpointName, string>> = {
  'environments.password':
    'Leave --password out to be asked for it, or add "--password -" to read it from standard input: ' +
    'what is on the command line, others on this machine can see.',
  'environments.update': 'To change some variables and keep the others: lilac envs set, lilac envs unset.',
  'databases.create': hintOfSecret('--admin-password'),
  'databases.rotate-password': hintOfSecret('--new-password'),
};

function hintOfSecret(flag: string): string {
  return (
    `Leave ${flag} out to have one made, or add "${flag} -" to read it from standard input: ` +
    'what is on the command line, others on this machine can see.'
  );
}

/** Nobody is asked for one: left out, the platform makes it. */
async function readGivenSecret({ body, input }: Preparation, field: string): Promise<void> {
  if (body[field] === '-') body[field] = await readSecret(input);
}

/** Other users of the machine can see the arguments of every program; hence the other two ways. */
async function fillPassword({ body, input }: Preparation): Promise<void> {
  if (body.enabled !== true) return;
  if (body.password === '-') body.password = await readSecret(input);
  if (body.password !== undefined) return;
  if (!input.isTerminal) {
    throw new UsageError('A password is needed: write it to standard input, and add "--password -".');
  }
  body.password = await askForNewSecret(input, 'New password');
}

/** The platform would say so too, by the names that its API has. */
async function requireBound({ body }: Preparation): Promise<void> {
  if (body.minInstances !== undefined || body.maxInstances !== undefined) return;
  throw new UsageError('Give --min-instances, --max-instances or both.');
}

/** A set that is sent replaces the one that is there, whole: what it leaves out is gone, and so are its values. */
async function warnOfReplacedVariables({ client, body, input, complain }: Preparation): Promise<void> {
  if (body.environmentVars === undefined) return;
  const { environmentId, targetOrganisationId } = body as { environmentId: string; targetOrganisationId?: string };
  const { environment_vars: before } = await client.call('environments.get', {
    body: { environmentId, targetOrganisationId },
  });
  const { removed } = changesBetween(before, body.environmentVars as Variables);
  if (removed.length === 0) return;
  complain(
    `This replaces every variable. It removes ${removed.join(', ')}.\n` +
      `To change some and keep the others: lilac envs set ${environmentId} NAME=value\n`,
  );
  if (!input.isTerminal) return;
  const answer = await input.ask('Remove them? [y/N] ');
  if (!/^y(es)?$/i.test(answer.trim())) throw new GaveUp('Nothing was changed.');
}
