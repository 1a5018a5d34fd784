import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';

export type Address = { targetOrganisationId?: string } & ({ applicationId: string } | { environmentId: string });

export interface LossWords {
  warning: string;
  question: string;
}

/**
 * Before what is served stops: somebody has agreed, or said so beforehand. The domain, where it was looked for and
 * there is one; where there are no words, there is nothing to be asked.
 */
export async function agreeToLose(
  run: CommandRun,
  address: Address,
  wordsFor: (domain: string | null) => LossWords | null,
): Promise<string | null> {
  if (run.body.yes === true) return null;
  if (!canAsk(run)) throw new UsageError('The domain that is served stops at once. Add --yes to do it.');
  const domain = await domainAt(run, address);
  const words = wordsFor(domain);
  if (words === null) return domain;
  run.complain(`${words.warning}\n`);
  if (!(await confirm(run, words.question))) throw new GaveUp('Nothing was changed.');
  return domain;
}

/** As it is written down: nobody waits for the DNS. */
async function domainAt(run: CommandRun, address: Address): Promise<string | null> {
  const { targetOrganisationId } = address;
  const organisation = targetOrganisationId === undefined ? {} : { targetOrganisationId };
  const environmentId = 'environmentId' in address ? address.environmentId : await productionOf(run, address);
  if (environmentId === undefined) return null;
  const { custom_domain } = await run.client.call('environments.get', { body: { environmentId, ...organisation } });
  return custom_domain === null ? null : plainText(custom_domain);
}

async function productionOf(
  { client }: CommandRun,
  body: { applicationId: string; targetOrganisationId?: string },
): Promise<string | undefined> {
  const { environments } = await client.call('applications.get', { body });
  return environments.find(({ is_production }) => is_production)?.id;
}
