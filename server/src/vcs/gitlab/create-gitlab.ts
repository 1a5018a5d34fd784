import type { Config } from '../../config.ts';
import { createCodeGrant } from '../connection/code-grant.ts';
import { ifReached } from '../connection/host-refusal.ts';
import { tellRefusals } from '../connection/tell-refusals.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { ConnectionHost, OAuthSettings } from '../vcs-host.ts';
import { createGitlabApi } from './gitlab-api.ts';
import { ensureProjectHook, removeProjectHook } from './hooks.ts';
import { isFromGitlab, readGitlabDelivery } from './read-delivery.ts';
import { findProject, findProjectById, listProjectBranches, listProjects } from './repositories.ts';
import { writeCommitStatus } from './statuses.ts';

export interface GitlabDeps {
  config: Pick<Config, 'vcsUrls' | 'vcsApiUrls'>;
  fetch: HostFetch;
  settings: OAuthSettings | null;
  webhookKey: Buffer;
}

/** The second host. */
export function createGitlab({ config, fetch, settings, webhookKey }: GitlabDeps): ConnectionHost {
  const ask = createGitlabApi({ apiUrl: config.vcsApiUrls.provider2, fetch });
  const base = config.vcsUrls.provider2.href.replace(/\/$/, '');
  return tellRefusals<ConnectionHost>('GitLab', {
    provider: 'provider2',
    ...createCodeGrant({
      fetch,
      settings,
      hostName: 'GitLab',
      authorizeUrl: `${base}/oauth/authorize`,
      tokenUrl: `${base}/oauth/token`,
      // Hooks and statuses are written; nothing narrower has both.
      scope: 'api',
      clientBy: 'form',
    }),
    async findPerson(accessToken, options) {
      const user = await ifReached(ask({ kind: 'person', accessToken }, options).users.showCurrentUser());
      return user && { id: String(user.id), login: user.username };
    },
    listRepositories: (access, options) => listProjects(ask, access, options),
    findRepository: (access, name, options) => findProject(ask, access, { name, options }),
    findRepositoryById: (access, id, options) => findProjectById(ask, access, { id, options }),
    listBranches: (access, name, options) => listProjectBranches(ask, access, { name, options }),
    async gitCredential(access, name, options) {
      if (access.kind !== 'person' || !(await findProject(ask, access, { name, options }))) return null;
      return { username: 'oauth2', password: access.accessToken };
    },
    writeStatus: (access, status, options) => writeCommitStatus(ask, access, { status, options }),
    mayBeGenuine: (head) => isFromGitlab(head, webhookKey),
    readDelivery: (request) => readGitlabDelivery(request, webhookKey),
    ensureHook: (access, hook, options) => ensureProjectHook(ask, access, { ...hook, webhookKey, options }),
    removeHook: (access, hook, options) => removeProjectHook(ask, access, { ...hook, options }),
  });
}
