import type { Config } from '../../../config.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { Repository } from '../../../vcs/git/repository.ts';
import type { OpenOptions, RepositoryDoor } from '../vcs-deps.ts';

export interface RepositoryOfDeps {
  config: Pick<Config, 'vcsUrls'>;
  door: Pick<RepositoryDoor, 'open'>;
}

type Application = Pick<ApplicationRow, 'organisation_id' | 'vcs_repo_url' | 'git_provider' | 'is_private'>;

/** The repository of an application, as its organisation may read it at this moment; null where it has none. */
export async function openRepositoryOf(
  { config, door }: RepositoryOfDeps,
  { organisation_id, vcs_repo_url: url, git_provider: provider, is_private: wasPrivate }: Application,
  options: OpenOptions = {},
): Promise<Repository | null> {
  if (url === null) return null;
  return door.open(organisation_id, parseRepository(config, { url, provider }), { ...options, wasPrivate });
}
