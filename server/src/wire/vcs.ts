import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import type { Handlers } from '../http/handler.ts';
import { registerVcsCallbacks } from '../http/vcs-callback-routes.ts';
import { registerVcsWebhooks } from '../http/vcs-webhook-routes.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRepositoryDoor } from '../modules/vcs/access/repository-door.ts';
import { createRepositoryLists, type RepositoryLists } from '../modules/vcs/access/repository-lists.ts';
import { attemptHandlers } from '../modules/vcs/attempts/handlers.ts';
import { connectionHandlers } from '../modules/vcs/connections/handlers.ts';
import { installationHandlers } from '../modules/vcs/installations/handlers.ts';
import { createVcsHosts } from '../modules/vcs/settings/configured-hosts.ts';
import { setupHandlers } from '../modules/vcs/settings/setup-handlers.ts';
import type { RepositoryDoor, VcsDeps, VcsHosts } from '../modules/vcs/vcs-deps.ts';
import { checkConfiguredHost } from '../operator/check-configured-host.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { createBitbucket } from '../vcs/bitbucket/create-bitbucket.ts';
import { appManifest } from '../vcs/github/app-manifest.ts';
import { convertManifest } from '../vcs/github/convert-manifest.ts';
import { createGithub } from '../vcs/github/create-github.ts';
import { createGitlab } from '../vcs/gitlab/create-gitlab.ts';
import { createHostFetch } from '../vcs/host-fetch.ts';

interface OpenDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

/** Repository hosts, as both the api and the worker use them. */
export interface VcsParts extends Pick<VcsDeps, 'hosts' | 'stateKey'> {
  door: RepositoryDoor;
  lists: RepositoryLists;
}

/** The hosts are those of the configuration, unless a test brings its own. */
export async function openVcs(deps: OpenDeps, given?: VcsHosts): Promise<VcsParts> {
  const [stateKey, webhookKey] = await Promise.all([
    platformSecret(deps, 'vcs-state'),
    platformSecret(deps, 'vcs-webhooks'),
  ]);
  const fetch = openFetch(deps);
  const shared = { config: deps.config, fetch, webhookKey };
  const hosts =
    given ??
    createVcsHosts({
      ...deps,
      makers: {
        provider1: (settings) => createGithub({ ...shared, settings }),
        provider2: (settings) => createGitlab({ ...shared, settings }),
        provider3: (settings) => createBitbucket({ ...shared, settings }),
      },
    });
  const own = { hosts, stateKey };
  const all: VcsDeps = { ...deps, ...own };
  return { ...own, door: createRepositoryDoor(all), lists: createRepositoryLists(all) };
}

const openFetch = ({ config }: Pick<OpenDeps, 'config'>) =>
  createHostFetch({ hostVariables: config.builds.hostVariables });

type VcsEndpoint = Extract<keyof Handlers, `vcs-app.${string}` | `provider${2 | 3}.${string}` | `vcs-setup.${string}`>;

export function vcsHandlers(vcs: OpenDeps & VcsParts): Pick<Handlers, VcsEndpoint> {
  const fetch = openFetch(vcs);
  return {
    ...attemptHandlers(vcs),
    ...installationHandlers(vcs),
    ...connectionHandlers(vcs),
    ...setupHandlers({
      ...vcs,
      appManifest,
      convertManifest: (code) => convertManifest({ config: vcs.config, fetch }, code),
      checkHost: (provider, states) => checkConfiguredHost(vcs.config, provider, states),
    }),
  };
}

/** What hosts and the browsers they send back come to: no endpoints of the contract, since they set the shapes. */
export function registerVcsRoutes(app: FastifyInstance, vcs: VcsDeps): void {
  registerVcsCallbacks(app, vcs);
  registerVcsWebhooks(app, vcs);
}
