import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { gitProviders, type GitProvider } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import type { VcsHosts } from '../vcs/vcs-deps.ts';
import { isEnabled } from './feature-flags.ts';

interface RepositoryHostsDeps {
  config: Pick<Config, 'vcsUrls' | 'featureSwitches'>;
  hosts: VcsHosts;
}

/** Where repositories may be, and whether private ones can be reached there. */
export function describeRepositoryHosts({
  config,
  hosts,
}: RepositoryHostsDeps): Promise<OutputOf<Endpoints['config.platform']>['repositoryHosts']> {
  const describe = async (id: GitProvider) => ({
    id,
    url: config.vcsUrls[id].href.replace(/\/$/, ''),
    enabled: id === 'provider1' || isEnabled(config, id),
    configured: (id === 'provider1' ? await hosts.app() : await hosts.connection(id)) !== null,
  });
  return Promise.all(gitProviders.map((id) => describe(id)));
}
