import type { GitProvider } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';

const columns = {
  provider1: 'provider1_repo_id',
  provider2: 'provider2_project_id',
  provider3: 'provider3_repo_uuid',
} as const satisfies Record<GitProvider, string>;

interface Reached {
  applicationId: string;
  provider: GitProvider;
  /** By which it was reached: what another was named by meanwhile is left alone. */
  url: string;
  /** What the host calls it. */
  id: string;
}

/**
 * From then on the application's repository is the one of that id. What is known already stays; answers what is known
 * now, null when the application is gone or has another repository by now.
 */
export async function knowRepository(
  db: Db | Tx,
  { applicationId, provider, url, id }: Reached,
): Promise<string | null> {
  const column = columns[provider];
  const known = await db
    .updateTable('applications')
    .set({ [column]: sql`coalesce(${sql.ref(column)}, ${id})` })
    .where('id', '=', applicationId)
    .where('vcs_repo_url', '=', url)
    .returning(column)
    .executeTakeFirst();
  const value = known && (known as Record<string, string | null>)[column];
  return value ?? null;
}
