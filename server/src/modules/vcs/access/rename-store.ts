import type { Tx } from '../../../db/pool.ts';

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
