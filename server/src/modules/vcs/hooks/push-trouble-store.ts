import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { DeploymentRow } from '../../../db/schema.ts';

const MISSED = 'The last push ';
const isOfMissed = sql<boolean>`starts_with(push_trouble, ${MISSED})`;

/** What people read of a push that was heard, in contrast to those that no host would tell of. */
export const missedPush = (branch: string, why: string): string => `${missedOf(branch)}${why}`;

/** No branch has a space in its name: it is that very one. */
const missedOf = (branch: string): string => `${MISSED}to ${branch} was not acted on. `;

/** Null: nothing is wrong any more. True when that is news. */
export async function notePushTrouble(db: Db | Tx, applicationId: string, trouble: string | null): Promise<boolean> {
  const noted = await db
    .updateTable('applications')
    .set({ push_trouble: trouble })
    .where('id', '=', applicationId)
    .where(sql<boolean>`push_trouble is distinct from ${trouble}`)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** The host tells of pushes. One that was heard and not acted on is not mended by that. */
export async function clearHookTrouble(db: Db | Tx, applicationId: string): Promise<void> {
  await db
    .updateTable('applications')
    .set({ push_trouble: null })
    .where('id', '=', applicationId)
    .where(sql<boolean>`push_trouble is not null and not ${isOfMissed}`)
    .execute();
}

/** What the push should have deployed is live: somebody has deployed the branch by hand. */
export async function clearMissedPush(
  tx: Tx,
  { application_id: applicationId, vcs_branch: branch }: Pick<DeploymentRow, 'application_id' | 'vcs_branch'>,
): Promise<void> {
  if (branch === null) return;
  await tx
    .updateTable('applications')
    .set({ push_trouble: null })
    .where('id', '=', applicationId)
    .where(sql<boolean>`starts_with(push_trouble, ${missedOf(branch)})`)
    .execute();
}
