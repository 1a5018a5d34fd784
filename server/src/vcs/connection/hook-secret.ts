import { createHmac } from 'node:crypto';

export interface HookOf {
  provider: 'provider2' | 'provider3';
  repositoryId: string;
}

/** Follows from the repository, so that nothing is kept, and one repository's proves nothing about another's. */
export function hookSecret(webhookKey: Buffer, { provider, repositoryId }: HookOf): string {
  return createHmac('sha256', webhookKey).update(`${provider} ${repositoryId}`).digest('hex');
}
