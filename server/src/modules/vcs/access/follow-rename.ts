import type { Config } from '../../../config.ts';
import type { Store } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { HostRepository } from '../../../vcs/vcs-host.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { OpenOptions, RepositoryDoor } from '../vcs-deps.ts';
import { isOfHost } from './ask-each.ts';
import { moveToRepository } from './rename-store.ts';

export interface RenameDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'vcsUrls'>;
  door: Pick<RepositoryDoor, 'locate'>;
}

/**
 * The application as it is of the new name; null when its repository has the name that it knows, when nobody can tell,
 * or when the host does not answer.
 */
export async function followRename(
  { store, config, door }: RenameDeps,
  application: ApplicationRow,
  options: OpenOptions = {},
): Promise<ApplicationRow | null> {
  const { id: applicationId, organisation_id: organisationId, git_provider: provider } = application;
  const id = repositoryIdOf(application);
  if (id === null) return null;
  const found = await tolerant(door.locate(organisationId, { provider, id }, options));
  if (!found || found.fullName.toLowerCase() === application.repository_path) return null;
  const url = parseRepository(config, { owner: found.owner, repo: found.name, provider }).url.replace(/\.git$/, '');
  const path = found.fullName.toLowerCase();
  await store.db.transaction().execute(async (tx) => {
    const isMoved = await moveToRepository(tx, { applicationId, from: application.vcs_repo_url, url, path });
    if (!isMoved) return;
    const subject = `${application.name}: ${found.fullName}`;
    const action = 'repository_renamed';
    await recordActivity(tx, { organisationId, applicationId, action, subject, caller: 'platform' });
  });
  return { ...application, vcs_repo_url: url, repository_path: path };
}

/** The host's own, which stays whatever it is called. */
function repositoryIdOf(application: ApplicationRow): string | null {
  const ids = {
    provider1: application.provider1_repo_id,
    provider2: application.provider2_project_id,
    provider3: application.provider3_repo_uuid,
  };
  return ids[application.git_provider];
}

/** Nobody is worse off than without it: what failed before says what is wrong. */
async function tolerant(asked: Promise<HostRepository | null>): Promise<HostRepository | null> {
  try {
    return await asked;
  } catch (error) {
    if (isOfHost(error)) return null;
    throw error;
  }
}
