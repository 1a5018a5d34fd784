import type { GitProvider } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';
import { listLinkedConnections } from './connections/connection-link-store.ts';
import { listWaitingForPushes, type WaitingForPushes } from './hooks/hook-store.ts';
import { enqueueHooks } from './hooks/job-kinds.ts';
import { notePushTrouble } from './hooks/push-trouble-store.ts';
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
export async function tellOfLoss(tx: Tx, lost: Lost): Promise<void> {
  const { organisationId, provider, accountLogin } = lost;
  const isLeft = await hasAnother(tx, lost);
  for (const application of await listWaitingForPushes(tx, { organisationId, provider })) {
    const { id: applicationId } = application;
    if (isLeft || !isOfAccount(application, lost)) {
      await enqueueHooks(tx, { applicationId });
      continue;
    }
    const message =
      `Pushes are no longer deployed by themselves: what let this organisation in at ${accountLogin} is not linked ` +
      `any more. Link it again with "lilac ${provider === 'provider1' ? 'vcs install' : `${provider} connect`}".`;
    await notePushTrouble(tx, applicationId, message);
    await tellApplication(tx, { applicationId, message });
  }
}

/** Of the first host only; what is of another name may be the account's all the same, which was renamed. */
function isOfAccount({ path }: WaitingForPushes, { provider, accountLogin }: Lost): boolean {
  return provider !== 'provider1' || path?.split('/', 1)[0] === accountLogin.toLowerCase();
}

/** Of the first host an installation of the same account; of the others any person may reach the same. */
async function hasAnother(tx: Tx, { organisationId, provider, accountLogin }: Lost): Promise<boolean> {
  if (provider !== 'provider1') return (await listLinkedConnections(tx, { organisationId, provider })).length > 0;
  const left = await listLinkedInstallations(tx, organisationId);
  return left.some(({ account_login }) => account_login.toLowerCase() === accountLogin.toLowerCase());
}
