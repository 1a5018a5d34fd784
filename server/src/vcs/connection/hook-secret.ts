import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';

export interface HookOf {
  provider: 'provider2' | 'provider3';
  repositoryId: string;
}

/** Follows from the repository, so that nothing is kept, and one repository's proves nothing about another's. */
export function hookSecret(webhookKey: Buffer, { provider, repositoryId }: HookOf): string {
  return createHmac('sha256', webhookKey).update(`${provider} ${repositoryId}`).digest('hex');
}

/** Takes as long for what is nearly right as for what is all wrong. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}
