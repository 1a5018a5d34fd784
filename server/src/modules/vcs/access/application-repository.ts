import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { Repository } from '../../../vcs/git/repository.ts';
import type { OpenOptions, RepositoryDoor } from '../vcs-deps.ts';
import { doubtHooks } from '../hooks/job-kinds.ts';
import { followRepository, type FollowDeps } from './follow-repository.ts';

export interface RepositoryOfDeps extends FollowDeps {
  door: Pick<RepositoryDoor, 'open' | 'find' | 'identify' | 'locate'>;
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
  try {
    return await openNamed(deps, await followRepository(deps, application, options), options);
  } catch (error) {
    // What does not reach it is not told of pushes to it either.
    const isOutOfReach = error instanceof Fault && error.code === 'VA003';
    if (isOutOfReach) await deps.store.db.transaction().execute((tx) => doubtHooks(tx, application.id));
    throw error;
  }
}

/** For who knows already that its name leads to it. */
export async function openNamed(
  { config, door }: Pick<RepositoryOfDeps, 'config'> & { door: Pick<RepositoryDoor, 'open'> },
  { organisation_id, vcs_repo_url: url, git_provider: provider, is_private: wasPrivate }: ApplicationRow,
  options: OpenOptions,
): Promise<Repository | null> {
  if (url === null) return null;
  return door.open(organisation_id, parseRepository(config, { url, provider }), { ...options, wasPrivate });
}
