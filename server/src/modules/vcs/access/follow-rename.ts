import type { Config } from '../../../config.ts';
import type { Store } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { OpenOptions, RepositoryDoor } from '../vcs-deps.ts';
import { isOfHost } from './ask-each.ts';
import { moveToRepository } from './rename-store.ts';

export interface RenameDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'vcsUrls'>;
  door: Pick<RepositoryDoor, 'locate'>;
}

/** Whoever waits for a repository has waited for its host already. */
const LOCATE_MS = 10_000;

/**
 * The application as it is of the new name; null when its repository has the name that it knows, when nobody can tell,
 * or when the host does not answer.
 */
export async function followRename(
  deps: RenameDeps,
  application: ApplicationRow,
  options: OpenOptions = {},
): Promise<ApplicationRow | null> {
  const { id: applicationId, organisation_id: organisationId, name, vcs_repo_url: from } = application;
  const found = await locate(deps, application, options);
  const path = found?.fullName.toLowerCase();
  if (!found || path === undefined || path === application.repository_path) return null;
  const { url, fullName } = found;
  await deps.store.db.transaction().execute(async (tx) => {
    if (!(await moveToRepository(tx, { applicationId, from, url, path }))) return;
    const deed = { action: 'repository_renamed', subject: `${name}: ${fullName}`, caller: 'platform' } as const;
    await recordActivity(tx, { organisationId, applicationId, ...deed });
  });
  return { ...application, vcs_repo_url: url, repository_path: path };
}

/** Nobody is worse off than without it: what failed before says what is wrong. */
async function locate(
  { config, door }: RenameDeps,
  application: ApplicationRow,
  { signal: given }: OpenOptions,
): Promise<{ url: string; fullName: string } | null> {
  const { organisation_id: organisationId, git_provider: provider } = application;
  const id = repositoryIdOf(application);
  if (id === null) return null;
  const late = AbortSignal.timeout(LOCATE_MS);
  try {
    const signal = given ? AbortSignal.any([late, given]) : late;
    const found = await door.locate(organisationId, { provider, id }, { signal });
    if (!found) return null;
    const { url } = parseRepository(config, { owner: found.owner, repo: found.name, provider });
    return { url: url.replace(/\.git$/, ''), fullName: found.fullName };
  } catch (error) {
    given?.throwIfAborted();
    if (late.aborted || isOfHost(error)) return null;
    throw error;
  }
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
