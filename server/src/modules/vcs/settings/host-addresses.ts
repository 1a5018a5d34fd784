import type { GitProvider } from '@lilac/contract/states';
import type { VcsDeps } from '../vcs-deps.ts';

/** What an operator enters at a host, and where. */
export interface HostAddresses {
  hostUrl: string;
  callbackUrl: string;
  webhookUrl: string;
}

const prefixes: Record<GitProvider, string> = {
  provider1: '/api/vcs-app',
  provider2: '/api/provider2',
  provider3: '/api/provider3',
};

export function hostAddresses(
  config: Pick<VcsDeps['config'], 'publicUrl' | 'vcsUrls'>,
  provider: GitProvider,
): HostAddresses {
  const below = (path: string) => new URL(prefixes[provider] + path, config.publicUrl).href;
  return {
    hostUrl: config.vcsUrls[provider].href.replace(/\/$/, ''),
    callbackUrl: below('/callback'),
    webhookUrl: below('/webhook'),
  };
}
