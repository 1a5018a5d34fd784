import type { GitProvider } from '@lilac/contract/states';
import { conflict, type Fault } from '../../../lib/fault.ts';
import { isEnabled } from '../../catalogue/feature-flags.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import type { AppHost, ConnectionHost } from '../../../vcs/vcs-host.ts';

/** Null while the operator has not set it up, or has switched it off. */
export async function signInHostOf(
  { hosts, config }: Pick<VcsDeps, 'hosts' | 'config'>,
  provider: GitProvider,
): Promise<AppHost | ConnectionHost | null> {
  if (provider === 'provider1') return hosts.app();
  return isEnabled(config, provider) ? hosts.connection(provider) : null;
}

export const NOT_SET_UP = 'The operator has not set up this repository host yet (lilac admin vcs setup).';
export const notSetUp = (): Fault => conflict(NOT_SET_UP);
