import type { ApplicationRow } from '../../../db/schema.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import { followRename } from '../access/follow-rename.ts';
import { noteFirstHostId } from '../access/rename-store.ts';
import type { ActDeps } from './webhooks-deps.ts';

interface Pushed {
  application: ApplicationRow;
  event: PushEvent;
}

/**
 * The application as its repository is called now; null when the push is none of its. At the first host a push finds
 * applications by the id of its repository, and by its name. Where the two disagree, either ours was renamed and
 * another has taken its name, which is nothing to us; or ours is gone and was made anew.
 */
export async function pushedApplication(
  deps: ActDeps,
  { application, event: { repository } }: Pushed,
  signal: AbortSignal,
): Promise<ApplicationRow | null> {
  const { provider1_repo_id: known, git_provider: provider, vcs_repo_url: url } = application;
  const isOther = provider === 'provider1' && known !== repository.id;
  const isRenamed = repository.fullName.toLowerCase() !== application.repository_path;
  const renamed = isRenamed || (isOther && known !== null) ? await followRename(deps, application, { signal }) : null;
  if (renamed) return isOther ? null : renamed;
  if (!isOther || url === null) return application;
  const named = parseRepository(deps.config, { url, provider });
  const found = await deps.door.identify(application.organisation_id, named, { signal });
  // What a webhook says is a hint; the id that is kept is what the host says now.
  if (found) await noteFirstHostId(deps.store.db, { applicationId: application.id, before: known, id: found.id });
  return application;
}
