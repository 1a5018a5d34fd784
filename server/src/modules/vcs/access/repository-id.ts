import type { ApplicationRow } from '../../../db/schema.ts';

type Ids = Pick<ApplicationRow, 'git_provider' | 'provider1_repo_id' | 'provider2_project_id' | 'provider3_repo_uuid'>;

/** The host's own, which stays whatever it is called; null where nobody has asked for it yet. */
export function repositoryIdOf(application: Ids): string | null {
  const ids = {
    provider1: application.provider1_repo_id,
    provider2: application.provider2_project_id,
    provider3: application.provider3_repo_uuid,
  };
  return ids[application.git_provider];
}

/** The third host's are uuids, which people write in whatever case. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
