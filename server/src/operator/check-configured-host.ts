import { randomBytes } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import type { Config } from '../config.ts';
import { checkHost, type HostCheck, type HostFinding } from '../modules/vcs/settings/check-host.ts';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import type { HostStates } from '../modules/vcs/settings/read-settings.ts';
import { createBitbucket } from '../vcs/bitbucket/create-bitbucket.ts';
import { createGithub } from '../vcs/github/create-github.ts';
import { readApp } from '../vcs/github/read-app.ts';
import { createGitlab } from '../vcs/gitlab/create-gitlab.ts';
import { createHostFetch } from '../vcs/host-fetch.ts';
import { sayToOperator } from './say-to-operator.ts';

/** Whether a host knows the platform by the settings there are: for `lilac admin vcs check` and the set-up page. */
export async function checkConfiguredHost(
  config: Config,
  provider: GitProvider,
  states: HostStates,
): Promise<HostFinding> {
  const { trouble } = states[provider];
  if (trouble !== null) return { isGood: false, found: trouble };
  const { isGood, found } = await checkHost({
    ...openHost(config, provider, states),
    redirectUrl: hostAddresses(config, provider).callbackUrl,
  });
  return { isGood, found: sayToOperator(found) };
}

function openHost(config: Config, provider: GitProvider, states: HostStates): Pick<HostCheck, 'host' | 'app'> {
  // One of its own: what an earlier check was told to wait for does not hold for other settings.
  const fetch = createHostFetch({ hostVariables: config.builds.hostVariables });
  if (provider === 'provider1') {
    const { settings } = states.provider1;
    const host = createGithub({ config, fetch, settings });
    return settings
      ? { host, app: { slug: settings.slug, read: () => readApp({ config, fetch, settings }) } }
      : { host };
  }
  const create = provider === 'provider2' ? createGitlab : createBitbucket;
  // No webhook is read here, so any key will do.
  return { host: create({ config, fetch, settings: states[provider].settings, webhookKey: randomBytes(32) }) };
}
