import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { ApplicationRow, DeploymentRow, EnvironmentRow } from '../../../db/schema.ts';
import type { CommitState } from '../../../vcs/vcs-host.ts';

/** Null when it is gone, or when no commit of it is known: what was uploaded has none. */
export async function findCommitOf(
  tx: Tx,
  deploymentId: string,
): Promise<Pick<DeploymentRow, 'environment_id' | 'organisation_id'> | null> {
  const found = await tx
    .selectFrom('deployments')
    .select(['environment_id', 'organisation_id'])
    .where('id', '=', deploymentId)
    .where('commit_sha', 'is not', null)
    .executeTakeFirst();
  return found ?? null;
}

export type StatusSubject = Pick<
  DeploymentRow,
  'id' | 'organisation_id' | 'application_id' | 'status' | 'told_state'
> & {
  commit_sha: string;
} & Pick<ApplicationRow, 'git_provider' | 'slug'> & { vcs_repo_url: string } & Pick<
    EnvironmentRow,
    'name' | 'subdomain'
  >;

/**
 * Null when there is nothing to tell: it is gone, or the environment was asked for the same commit again later, and
 * that is what the commit shows.
 */
export async function findStatusSubject(
  db: Db,
  { deploymentId, left }: { deploymentId: string; left?: string | undefined },
): Promise<StatusSubject | null> {
  const found = await db
    .selectFrom('deployments as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .select([
      'd.id',
      'd.organisation_id',
      'd.application_id',
      'd.status',
      'd.told_state',
      'd.commit_sha',
      'a.git_provider',
    ])
    .select(['a.vcs_repo_url', 'a.slug', 'e.name', 'e.subdomain'])
    .where('d.id', '=', deploymentId)
    .where('d.commit_sha', 'is not', null)
    .where('a.vcs_repo_url', 'is not', null)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('deployments as later')
            .select(sql`1`.as('one'))
            .whereRef('later.environment_id', '=', 'd.environment_id')
            .where('later.commit_sha', '=', sql<string>`coalesce(${left ?? null}, d.commit_sha)`)
            .whereRef('later.asked', '>', 'd.asked'),
        ),
      ),
    )
    .executeTakeFirst();
  return (found as StatusSubject | undefined) ?? null;
}

/** Not when it has come to another commit since, of which the host knows nothing. */
export async function noteTold(
  db: Db,
  { deploymentId, sha, state }: { deploymentId: string; sha: string; state: CommitState },
): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ told_state: state })
    .where('id', '=', deploymentId)
    .where('commit_sha', '=', sha)
    .execute();
}
