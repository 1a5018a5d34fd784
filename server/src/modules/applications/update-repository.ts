import { isDeepStrictEqual } from 'node:util';
import type { ApplicationRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { conflict } from '../../lib/fault.ts';
import { parseRepository } from '../../vcs/git/parse-repository.ts';
import { timeLimit } from '../../vcs/git/time-limit.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { assertProvider } from '../catalogue/assert-provider.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { unhookApplication } from '../vcs/hooks/unhook-application.ts';
import { updateApplication, type RepositoryColumn } from './application-store.ts';
import type { ApplicationsDeps } from './applications-deps.ts';
import { assertBranchExists } from './assert-branch.ts';
import { holdApplication } from './hold-application.ts';
import { identityOf } from './repository-identity.ts';

/** How long git and the host may take together. */
const LOOK_MS = 20_000;

export interface RepositoryUpdate {
  application: ApplicationRow;
  vcsRepoUrl: string;
  caller: Caller;
}

/** What a person names is meant, also where the application knew another repository by that very name. */
export async function updateRepository(deps: ApplicationsDeps, update: RepositoryUpdate): Promise<ApplicationRow> {
  const { application, caller } = update;
  const columns = await lookAt(deps, update);
  return deps.store.db.transaction().execute(async (tx) => {
    const before = await holdApplication(tx, application.id);
    const isSame = (Object.keys(columns) as RepositoryColumn[]).every((name) =>
      isDeepStrictEqual(columns[name], before[name]),
    );
    if (isSame) return before;
    const { id: applicationId, organisation_id: organisationId } = before;
    const after = await updateApplication(tx, applicationId, columns);
    await unhookApplication(tx, before);
    await recordActivity(tx, { organisationId, applicationId, action: 'application_updated', caller });
    await enqueueHooks(tx, { applicationId });
    return after;
  });
}

/** What can only be known by asking git and the host. */
async function lookAt(
  { config, door, gitSources }: ApplicationsDeps,
  { application, vcsRepoUrl }: RepositoryUpdate,
): Promise<Pick<ApplicationRow, RepositoryColumn>> {
  const { organisation_id: organisationId, source_type, vcs_branch: branch } = application;
  if (source_type !== 'vcs' || branch === null) {
    throw conflict('This application is deployed from archives: it has no repository.');
  }
  const url = vcsRepoUrl.trim();
  const repository = parseRepository(config, { url });
  const { provider, owner, name } = repository;
  assertProvider(config, provider);
  const signal = timeLimit(repository, LOOK_MS);
  const opened = await door.open(organisationId, repository, { signal });
  await assertBranchExists(gitSources, opened, branch, { signal });
  // Whatever is not known now would be whoever has the name later.
  const found = await door.identify(organisationId, repository, { signal, mustAnswer: true });
  const { provider1_repo_id, provider2_project_id, provider3_repo_uuid } = identityOf(provider, { body: {}, found });
  return {
    vcs_repo_url: url,
    git_provider: provider,
    repository_path: `${owner}/${name}`.toLowerCase(),
    is_private: found?.isPrivate ?? opened.credential !== null,
    provider1_repo_id,
    provider2_project_id: provider2_project_id === null ? null : String(provider2_project_id),
    provider3_repo_uuid,
    push_trouble: null,
  };
}
