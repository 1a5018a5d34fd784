import { Fault } from '../../lib/fault.ts';
import { admitHost, type AdmitDeps } from './admit-host.ts';
import { remoteEnvironment, type GitHome } from './git-environment.ts';
import { isRedirect } from './git-failure.ts';
import { assertGitVersion } from './git-version.ts';
import type { Repository } from './repository.ts';
import { runGit, type GitCall, type GitResult } from './run-git.ts';

export interface RemoteCall extends Pick<GitCall, 'input' | 'timeoutMs' | 'silenceMs' | 'signal' | 'onStart'> {
  gitDir?: string;
  settings?: Record<string, string>;
}

/** Runs a git that speaks to the repository's host, which the arguments call `origin`. */
export type RemoteGit = (repository: Repository, args: readonly string[], call: RemoteCall) => Promise<GitResult>;

const REMEMBERED_MS = 10 * 60_000;

/**
 * git follows no redirect by itself. Where a host says that a repository was renamed, its new address is asked in its
 * place. Anywhere else is refused: at another account it is in other hands, which only a person can want.
 */
export function createRemoteGit({ home, ...deps }: AdmitDeps & { home: GitHome }): RemoteGit {
  const moved = new Map<string, { url: string; at: number }>();
  const currentUrl = (url: string): string => {
    const known = moved.get(url);
    return known && Date.now() - known.at < REMEMBERED_MS ? known.url : url;
  };
  let version: Promise<void> | null = null;
  return async (repository, args, call) => {
    await (version ??= assertGitVersion(home));
    const host = await admitHost(deps, repository.url);
    const run = (url: string, trace: Record<string, string> = {}) => {
      const env = remoteEnvironment(home, { repository: { ...repository, url }, host, ...call });
      return runGit(args, { cwd: home.folder, memoryBytes: home.memoryBytes, ...call, env: { ...env, ...trace } });
    };
    const known = currentUrl(repository.url);
    const first = await run(known);
    if (!isRedirect(first)) return first;
    // Asked once more, from the address we were given, only to be told where to.
    const told = await run(repository.url, { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' });
    if (!isRedirect(told)) return run(repository.url);
    const url = newAddress(repository.url, told.stderr);
    if (moved.size > 1000) moved.clear();
    moved.set(repository.url, { url, at: Date.now() });
    const second = await run(url);
    if (isRedirect(second))
      throw new Fault('VA003', `${repository.url} redirects more than once. Give its new address.`);
    return second;
  };
}

const SUFFIX = '/info/refs?service=git-upload-pack';

function newAddress(url: string, trace: string): string {
  const location = /<= Recv header: location:\s*(\S+)/i.exec(trace)?.[1];
  const target = URL.parse(location ?? '', `${url}/info/`);
  if (!location || !target) throw new Fault('VA003', `${url} redirects without a valid address to go to.`);
  const address = target.href.replace(SUFFIX, '');
  if (target.origin !== new URL(url).origin) {
    throw new Fault(
      'VA003',
      `The repository redirects to another host (${target.origin}), which is not followed. Give its address there.`,
    );
  }
  if (!target.href.endsWith(SUFFIX) || target.username) {
    throw new Fault('VA003', `${url} redirects to a page that is not a repository: it may be private, or gone.`);
  }
  if (accountOf(address) !== accountOf(url)) {
    throw new Fault(
      'VA003',
      `${url} has moved to another account, as ${address}, which is not followed. If it is meant, give that address: ` +
        'for an application with "lilac apps update" and --vcs-repo-url.',
    );
  }
  return address;
}

/** Its address without the repository's own name, which hosts write in whatever case. */
const accountOf = (url: string): string => url.slice(0, url.replace(/\/+$/, '').lastIndexOf('/')).toLowerCase();
