import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import { followLocated, nameTaken } from '../access/follow-repository.ts';
import { knowRepository } from '../access/known-id-store.ts';
import { whatToMend } from '../access/linked-trouble.ts';
import { isSameId, repositoryIdOf } from '../access/repository-id.ts';
import type { ActDeps } from './webhooks-deps.ts';

interface Pushed {
  application: ApplicationRow;
  event: PushEvent;
}

/**
 * The application as its repository is called now; null when the push is none of its. A webhook is a hint: the host is
 * asked, by the id and in the name of what is linked, and what no longer reaches the repository hears nothing of it.
 * Who has taken the name of a repository is never taken for it: that is for a person to say.
 */
export async function pushedApplication(
  deps: ActDeps,
  { application, event: { repository } }: Pushed,
  signal: AbortSignal,
): Promise<ApplicationRow | null> {
  const { organisation_id: organisationId, git_provider: provider } = application;
  const known = repositoryIdOf(application);
  const isOther = known !== null && !isSameId(known, repository.id);
  const ours = await deps.door.locate(organisationId, { provider, id: known ?? repository.id }, { signal });
  if (!ours) throw isOther ? nameTaken(application) : await notReached(deps, application);
  if (known === null) return adopt(deps, application, ours);
  const followed = await followLocated(deps, application, ours);
  return isOther ? null : followed;
}

async function adopt(
  { store }: ActDeps,
  application: ApplicationRow,
  { id, fullName }: PushEvent['repository'],
): Promise<ApplicationRow | null> {
  const { id: applicationId, git_provider: provider, vcs_repo_url: url, repository_path: path } = application;
  if (url === null || fullName.toLowerCase() !== path) return null;
  await knowRepository(store.db, { applicationId, provider, url, id });
  return application;
}

async function notReached({ store: { db } }: ActDeps, application: ApplicationRow): Promise<Fault> {
  const { organisation_id: organisationId, repository_path: path, git_provider: provider } = application;
  const remedy =
    provider === 'provider1'
      ? 'Let the installation there have it, or install the app with "lilac vcs install".'
      : `Let the platform in with "lilac ${provider} connect", as somebody who belongs to it.`;
  const account = path?.split('/', 1)[0] ?? '';
  const mend = await whatToMend(db, { organisationId, provider, account }, remedy);
  return new Fault('VA003', `Nothing that is linked to this organisation reaches ${path} any more. ${mend}`);
}
