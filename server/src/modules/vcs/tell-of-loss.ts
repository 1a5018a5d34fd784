import type { GitProvider } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';
import { listLinkedConnections, listWaitingForPushes } from './connections/connection-store.ts';
import { enqueueHooks } from './hooks/job-kinds.ts';
import { listLinkedInstallations } from './installations/installation-store.ts';
import { tellApplication } from './tell-application.ts';

export interface Lost {
  organisationId: string;
  provider: GitProvider;
  /** Whose installation or connection it was, by the host's name. */
  accountLogin: string;
}

/**
 * After an organisation has lost an installation or a connection: pushes that nothing is told of any more would vanish
 * without a trace, so each application that waits for them is told once, now; or, where another is left, it is looked
 * at whether that one reaches its repository.
 */
export async function tellOfLoss(tx: Tx, { organisationId, provider, accountLogin }: Lost): Promise<void> {
  const account = provider === 'provider1' ? accountLogin : undefined;
  const isLeft = await hasAnother(tx, { organisationId, provider, accountLogin });
  for (const applicationId of await listWaitingForPushes(tx, { organisationId, provider, account })) {
    if (isLeft) {
      await enqueueHooks(tx, { applicationId });
      continue;
    }
    const message =
      `Pushes are no longer deployed by themselves: what let this organisation in at ${accountLogin} is not linked ` +
      `any more. Link it again with "lilac ${provider === 'provider1' ? 'vcs install' : `${provider} connect`}".`;
    await tellApplication(tx, { applicationId, message });
  }
}

/** Of the first host an installation of the same account; of the others any person may reach the same. */
async function hasAnother(tx: Tx, { organisationId, provider, accountLogin }: Lost): Promise<boolean> {
  if (provider !== 'provider1') return (await listLinkedConnections(tx, { organisationId, provider })).length > 0;
  const left = await listLinkedInstallations(tx, organisationId);
  return left.some(({ account_login }) => account_login.toLowerCase() === accountLogin.toLowerCase());
}
