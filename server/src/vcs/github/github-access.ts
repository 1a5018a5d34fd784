import { App } from '@octokit/app';
import { createPrivateKey } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { HostRefusal, isOutOfReach } from '../connection/host-refusal.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { AppSettings, CallOptions, HostAccess, RepositoryName } from '../vcs-host.ts';
import { askBy, octokitFor, silence, type AskGithub } from './github-api.ts';
import { createInstallationTokens, type InstallationTokens, type Permissions } from './installation-tokens.ts';

/** On whose strength GitHub is asked. */
export interface GithubAccess {
  /** The app itself, which signs with its key. A `Fault` CF001 when the host does not know it. */
  asApp: AskGithub;
  asPerson: (accessToken: string) => AskGithub;
  asNobody: AskGithub;
  tokens: InstallationTokens;
  /**
   * Does something with a repository, or with all that an access reaches. Null when the access does not reach it. What
   * is done may be done twice: a token that was kept may have died since.
   */
  reach<T>(
    access: HostAccess,
    wish: Wish,
    use: (ask: AskGithub, how: { isKept: boolean }) => Promise<T>,
  ): Promise<T | null>;
}

export interface Wish extends CallOptions {
  repository: RepositoryName | null;
  permissions: Permissions;
  /** Whether a token that was made before will do. */
  isFresh?: boolean;
}

export interface GithubDeps {
  apiUrl: URL;
  fetch: HostFetch;
  settings: AppSettings | null;
  clock: Clock;
}

export function createGithubAccess({ apiUrl, fetch, settings, clock }: GithubDeps): GithubAccess {
  const Client = octokitFor({ apiUrl, fetch });
  const asToken = (auth: string, askedAs?: string): AskGithub => askBy(new Client({ auth }), askedAs);
  const asApp = signedBy(Client, settings);
  const tokens = createInstallationTokens(asApp, clock);
  const asNobody = askBy(new Client());

  async function reachByInstallation<T>(
    installationId: number,
    { repository, permissions, signal, isFresh }: Wish,
    use: (ask: AskGithub, how: { isKept: boolean }) => Promise<T>,
  ): Promise<T | null> {
    const request = { installationId, repository, permissions };
    const found = await tokens.find(request, { signal, isFresh });
    if (!found) return null;
    try {
      return await use(asToken(found.token, `installation ${installationId}`), found);
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      tokens.forget(request);
      if (!found.isKept) return null;
      return reachByInstallation(installationId, { repository, permissions, signal, isFresh: true }, use);
    }
  }

  return {
    asApp,
    asNobody,
    asPerson: (accessToken) => asToken(accessToken),
    tokens,
    async reach(access, wish, use) {
      if (access.kind === 'installation') return reachByInstallation(access.installationId, wish, use);
      const ask = access.kind === 'person' ? asToken(access.accessToken) : asNobody;
      return use(ask, { isKept: false }).catch((error: unknown) => {
        if (isOutOfReach(error)) return null;
        throw error;
      });
    },
  };
}

function signedBy(Client: ReturnType<typeof octokitFor>, settings: AppSettings | null): AskGithub {
  if (!settings) {
    return () => Promise.reject(notSetUp());
  }
  let ask: AskGithub | null = null;
  return async (question) => {
    ask ??= askBy(
      new App({ ...settings, privateKey: readable(settings), Octokit: Client, log: silence }).octokit,
      `app ${settings.appId}`,
    );
    try {
      return await ask(question);
    } catch (error) {
      throw error instanceof HostRefusal && error.status === 401 ? unknownApp(error) : error;
    }
  };
}

/** The host gives keys as PKCS#1; some tools turn them into PKCS#8. */
function readable({ privateKey }: AppSettings): string {
  try {
    return createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    throw new Fault('CF001', 'The private key of the app at GitHub cannot be read. The operator has to set it anew.');
  }
}

export const notSetUp = (): Fault =>
  new Fault('CF001', 'GitHub is not set up on this platform. The operator does so with `lilac admin vcs`.');

function unknownApp(cause: HostRefusal): Fault {
  const message =
    'GitHub does not accept the app of this platform: its id or its private key is wrong, or it was deleted. ' +
    'The operator can mend that with `lilac admin vcs`.';
  return new Fault('CF001', message, { cause });
}
