import type { Config } from '../../config.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { tellRefusals } from '../connection/tell-refusals.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { AppHost, AppSettings } from '../vcs-host.ts';
import { createGithubAccess, notSetUp } from './github-access.ts';
import { HOST_NAME } from './github-api.ts';
import {
  administers,
  findInstallation,
  findPerson,
  installationsOf,
  listInstallations,
  uninstall,
} from './installations.ts';
import { mayBeFromGithub, readGithubDelivery } from './read-delivery.ts';
import { findRepository, findRepositoryById, gitCredential, listBranches, listRepositories } from './repositories.ts';
import { below, createSignIn } from './sign-in.ts';
import { writeStatus } from './statuses.ts';

export interface GithubOptions {
  config: Pick<Config, 'vcsUrls' | 'vcsApiUrls'>;
  fetch: HostFetch;
  /** Null: only what everybody may see works. */
  settings: AppSettings | null;
  clock?: Clock;
}

/** The first host. */
export function createGithub({ config, fetch, settings, clock = systemClock }: GithubOptions): AppHost {
  const hostUrl = config.vcsUrls.provider1;
  const github = createGithubAccess({ apiUrl: config.vcsApiUrls.provider1, fetch, settings, clock });
  return tellRefusals<AppHost>(HOST_NAME, {
    provider: 'provider1',
    ...createSignIn({ hostUrl, fetch, settings, clock }),
    installUrl(state) {
      if (!settings) throw notSetUp();
      const url = below(hostUrl, `${appsFolder(hostUrl)}/${settings.slug}/installations/new`);
      url.searchParams.set('state', state);
      return url.href;
    },
    findPerson: (accessToken, options) => findPerson(github, accessToken, options),
    findInstallation: (installationId, options) => findInstallation(github, installationId, options),
    listInstallations: (options) => listInstallations(github, options),
    installationsOf: (accessToken, options) => installationsOf(github, accessToken, options),
    administers: (accessToken, installation, options) => administers(github, accessToken, { installation, options }),
    uninstall: (installationId, options) => uninstall(github, installationId, options),
    listRepositories: (access, options) => listRepositories(github, access, options),
    findRepository: (access, name, options) => findRepository(github, access, { name, options }),
    findRepositoryById: (access, id, options) => findRepositoryById(github, access, { id, options }),
    listBranches: (access, name, options) => listBranches(github, access, { name, options }),
    gitCredential: (access, name, options) => gitCredential(github, access, { name, options }),
    writeStatus: (access, status, options) => writeStatus(github, access, { status, options }),
    mayBeGenuine: mayBeFromGithub,
    readDelivery: (request) => readGithubDelivery(request, settings?.webhookSecret ?? null),
  });
}

/** A host of one's own has the pages of its apps elsewhere. */
function appsFolder({ hostname }: URL): 'apps' | 'github-apps' {
  return hostname === 'github.com' || hostname.endsWith('.ghe.com') ? 'apps' : 'github-apps';
}
