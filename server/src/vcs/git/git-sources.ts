import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { Resolve } from './admit-host.ts';
import { refOfBranch } from './branch-name.ts';
import { checkOut } from './check-out.ts';
import type { GitContext } from './git-context.ts';
import { MirrorBroken, toFault } from './git-failure.ts';
import { openGitTree } from './git-tree.ts';
import { headOf, listBranches } from './list-branches.ts';
import { dropMirror, mirrorOf, withLockedMirror, type Mirror } from './mirror.ts';
import { isProxied } from '../proxy.ts';
import { createRemoteGit } from './remote-git.ts';
import type { GitSources, Repository } from './repository.ts';
import { sweepMirrors } from './sweep-mirrors.ts';

export interface GitSourcesDeps {
  config: Pick<Config, 'vcsUrls' | 'vcsTrusted' | 'vcsPrivateAddresses' | 'builds'>;
  /** Where the mirrors are kept; shared by every process of the installation. */
  root: string;
  log: Log;
  /** The system's, unless a test wants another. */
  resolve?: Resolve;
  /** What each git may have of memory, unless it is the usual. */
  memoryBytes?: number;
}

/** Repositories through the host's own `git`. */
export function createGitSources(deps: GitSourcesDeps): GitSources {
  const context = openContext(deps);
  return {
    async headOf(repository, branch, options) {
      return headOf(context, repository, { branch, ...options });
    },
    listBranches: (repository, options) => listBranches(context, repository, options),
    async checkOut(repository, options) {
      refOfBranch(options.branch);
      options.onLine(`${repository.owner}/${repository.name}, branch ${options.branch}`);
      return withMirror(context, repository, (mirror) => checkOut(context, mirror, { repository, ...options }));
    },
    async openTree(repository, branch, options) {
      refOfBranch(branch);
      return withMirror(context, repository, (mirror, files) =>
        openGitTree(context, mirror, { repository, branch, files, ...options }),
      );
    },
    sweep: () => sweepMirrors(deps.root),
  };
}

function openContext({ config, root, log, resolve, memoryBytes }: GitSourcesDeps): GitContext {
  const folder = join(root, '.home');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const home = { folder: realpathSync(folder), hostVariables: config.builds.hostVariables, memoryBytes };
  const proxied = (url: URL) => isProxied(home.hostVariables, url);
  return { root, log, home, remote: createRemoteGit({ config, home, isProxied: proxied, resolve }) };
}

/** A mirror that turns out to be broken is dropped and fetched again, whole, once. */
async function withMirror<T>(
  context: GitContext,
  repository: Repository,
  work: (mirror: Mirror, files: 'all' | 'later') => Promise<T>,
): Promise<T> {
  const mirror = mirrorOf(context.root, repository.url);
  try {
    return await work(mirror, 'later');
  } catch (error) {
    if (!(error instanceof MirrorBroken)) throw error;
    context.log.warn({ repository: repository.url, reason: error.message }, 'mirror dropped, fetching again');
  }
  await withLockedMirror(mirror, { waitMs: 60_000 }, () => dropMirror(mirror));
  try {
    return await work(mirror, 'all');
  } catch (error) {
    throw toFault(repository, error);
  }
}
