import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { GitSources } from '../../vcs/git/repository.ts';
import type { DomainParts } from '../domains/domains-deps.ts';
import type { RepositoryDoor } from '../vcs/vcs-deps.ts';

export interface EnvironmentsDeps extends DomainParts {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'databases' | 'vcsUrls'>;
  keyring: Keyring;
  clock: Clock;
  gitSources: Pick<GitSources, 'headOf' | 'listBranches'>;
  door: Pick<RepositoryDoor, 'open' | 'find' | 'identify' | 'locate'>;
}
