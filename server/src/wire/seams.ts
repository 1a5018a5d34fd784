import { pathsOf, type Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { DomainParts } from '../modules/domains/domains-deps.ts';
import type { VcsHosts } from '../modules/vcs/vcs-deps.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { createGitSources } from '../vcs/git/git-sources.ts';
import type { GitSources } from '../vcs/git/repository.ts';
import { openDomains } from './domains.ts';
import { openObjects } from './objects.ts';
import { openVcs, type VcsParts } from './vcs.ts';

/** What a role brings; everything else is made here. */
export interface RoleDeps {
  config: Config;
  store: Store;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  /** Those of the configuration, unless a test brings its own. */
  vcsHosts?: VcsHosts;
}

/** The implementations behind the seams. */
export interface Seams extends VcsParts, DomainParts {
  objects: ObjectStore;
  gitSources: GitSources;
}

export async function openSeams(deps: RoleDeps): Promise<Seams> {
  const { config, log } = deps;
  const paths = pathsOf(config);
  const [objects, vcs, domains] = await Promise.all([
    openObjects(deps),
    openVcs(deps, deps.vcsHosts),
    openDomains(deps),
  ]);
  return {
    ...vcs,
    ...domains,
    objects,
    gitSources: createGitSources({ config, root: paths.repositories, log }),
  };
}
