import type { Db, Tx } from '../../../db/pool.ts';

interface Move {
  applicationId: string;
  /** Where it was: false is answered when it is no longer there. */
  from: string | null;
  url: string;
  /** In lower case. */
  path: string;
}

export async function moveToRepository(tx: Tx, { applicationId, from, url, path }: Move): Promise<boolean> {
  const moved = await tx
    .updateTable('applications')
    .set({ vcs_repo_url: url, repository_path: path })
    .where('id', '=', applicationId)
    .where('vcs_repo_url', '=', from)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

/** What the first host calls the repository, where nobody has written it down: what is known stays. */
export async function noteFirstHostId(
  db: Db,
  { applicationId, id }: { applicationId: string; id: string },
): Promise<void> {
  await db
    .updateTable('applications')
    .set({ provider1_repo_id: id })
    .where('id', '=', applicationId)
    .where('provider1_repo_id', 'is', null)
    .execute();
}
