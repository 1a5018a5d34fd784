import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import { followLocated, nameTaken } from '../access/follow-repository.ts';
import { noteFirstHostId } from '../access/rename-store.ts';
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
  if (!ours) throw isOther ? nameTaken(application) : notReached(application);
  if (known === null) return adopt(deps, application, ours);
  const followed = await followLocated(deps, application, ours);
  return isOther ? null : followed;
}

async function adopt(
  { store }: ActDeps,
  application: ApplicationRow,
  { id, fullName }: PushEvent['repository'],
): Promise<ApplicationRow | null> {
  if (fullName.toLowerCase() !== application.repository_path) return null;
  if (application.git_provider === 'provider1') await noteFirstHostId(store.db, { applicationId: application.id, id });
  return application;
}

function notReached({ repository_path: path, git_provider: provider }: ApplicationRow): Fault {
  const remedy =
    provider === 'provider1'
      ? 'Let the installation there have it, or install the app with "lilac vcs install".'
      : `Let the platform in with "lilac ${provider} connect", as somebody who belongs to it.`;
  return new Fault('VA003', `Nothing that is linked to this organisation reaches ${path} any more. ${remedy}`);
}
