import { z } from 'zod';
import type { Config } from '../../config.ts';
import { createCodeGrant } from '../connection/code-grant.ts';
import { ifReached } from '../connection/host-refusal.ts';
import { tellRefusals } from '../connection/tell-refusals.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { ConnectionHost, OAuthSettings } from '../vcs-host.ts';
import { createBitbucketApi } from './bitbucket-api.ts';
import { ensureRepositoryHook, removeRepositoryHook } from './hooks.ts';
import { mayBeFromBitbucket, readBitbucketDelivery } from './read-delivery.ts';
import {
  findBitbucketRepository,
  findBitbucketRepositoryById,
  listBitbucketBranches,
  listBitbucketRepositories,
} from './repositories.ts';
import { writeBuildStatus } from './statuses.ts';

export interface BitbucketDeps {
  config: Pick<Config, 'vcsUrls' | 'vcsApiUrls'>;
  fetch: HostFetch;
  settings: OAuthSettings | null;
  webhookKey: Buffer;
}

const person = z.object({
  uuid: z.string(),
  username: z.string().nullish(),
  nickname: z.string().nullish(),
  display_name: z.string().nullish(),
});

/** The third host. */
export function createBitbucket({ config, fetch, settings, webhookKey }: BitbucketDeps): ConnectionHost {
  const ask = createBitbucketApi({ apiUrl: config.vcsApiUrls.provider3, fetch });
  const base = config.vcsUrls.provider3.href.replace(/\/$/, '');
  return tellRefusals<ConnectionHost>('Bitbucket', {
    provider: 'provider3',
    ...createCodeGrant({
      fetch,
      settings,
      hostName: 'Bitbucket',
      authorizeUrl: `${base}/site/oauth2/authorize`,
      tokenUrl: `${base}/site/oauth2/access_token`,
      // Chosen where the operator has made the consumer: account, repositories (read), webhooks.
      scope: null,
      clientBy: 'basic',
    }),
    async findPerson(accessToken, options) {
      const found = await ifReached(ask({ kind: 'person', accessToken }, options).get('/user', person));
      return found && { id: found.uuid, login: found.username ?? found.nickname ?? found.display_name ?? found.uuid };
    },
    listRepositories: (access, options) => listBitbucketRepositories(ask, access, options),
    findRepository: (access, name, options) => findBitbucketRepository(ask, access, { name, options }),
    findRepositoryById: (access, id, options) => findBitbucketRepositoryById(ask, access, { id, options }),
    listBranches: (access, name, options) => listBitbucketBranches(ask, access, { name, options }),
    async gitCredential(access, name, options) {
      if (access.kind !== 'person' || !(await findBitbucketRepository(ask, access, { name, options }))) return null;
      return { username: 'x-token-auth', password: access.accessToken };
    },
    writeStatus: (access, status, options) => writeBuildStatus(ask, access, { status, options }),
    mayBeGenuine: mayBeFromBitbucket,
    readDelivery: (request) => readBitbucketDelivery(request, webhookKey),
    ensureHook: (access, hook, options) => ensureRepositoryHook(ask, access, { ...hook, webhookKey, options }),
    removeHook: (access, hook, options) => removeRepositoryHook(ask, access, { ...hook, options }),
  });
}
