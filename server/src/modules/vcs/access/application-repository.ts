import type { Config } from '../../../config.ts';
import type { Store } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { Repository } from '../../../vcs/git/repository.ts';
import type { OpenOptions, RepositoryDoor } from '../vcs-deps.ts';
import { followRename, type RenameDeps } from './follow-rename.ts';

export interface RepositoryOfDeps extends RenameDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'vcsUrls'>;
  door: Pick<RepositoryDoor, 'open' | 'locate'>;
}

/**
 * The repository of an application, as its organisation may read it at this moment; null where it has none. One that
 * was renamed at its host is found by its id, and the application is of that address from then on.
 */
export async function openRepositoryOf(
  deps: RepositoryOfDeps,
  application: ApplicationRow,
  options: OpenOptions = {},
): Promise<Repository | null> {
  const follow = async (): Promise<Repository | null> => {
    const renamed = await followRename(deps, application, options);
    return renamed && open(deps, renamed, options);
  };
  try {
    const opened = await open(deps, application, options);
    // Without a credential nothing that is linked has it by this name.
    return opened?.credential === null ? ((await follow()) ?? opened) : opened;
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'VA003')) throw error;
    const followed = await follow();
    if (!followed) throw error;
    return followed;
  }
}

async function open(
  { config, door }: RepositoryOfDeps,
  { organisation_id, vcs_repo_url: url, git_provider: provider, is_private: wasPrivate }: ApplicationRow,
  options: OpenOptions,
): Promise<Repository | null> {
  if (url === null) return null;
  return door.open(organisation_id, parseRepository(config, { url, provider }), { ...options, wasPrivate });
}
