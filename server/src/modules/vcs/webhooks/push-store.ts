import type { GitProvider } from '@lilac/contract/states';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { ApplicationRow } from '../../../db/schema.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import type { PushedEnvironment } from './decide-on-push.ts';

/**
 * The applications that a push is about: of that repository, and in organisations that have linked what it came by. On
 * the first host that is the very installation, on the others a connection.
 */
export async function listPushedApplications(
  db: Db,
  provider: GitProvider,
  { repository, installationId }: Pick<PushEvent, 'repository' | 'installationId'>,
): Promise<ApplicationRow[]> {
  const query = db
    .selectFrom('applications as a')
    .selectAll('a')
    .where('a.git_provider', '=', provider)
    .where('a.source_type', '=', 'vcs')
    .where('a.vcs_repo_url', 'is not', null)
    .where('a.status', '<>', 'deleting')
    .where(isOfRepository(provider, repository))
    .orderBy('a.id');
  if (provider === 'provider1') {
    return query
      .where('a.organisation_id', 'in', (of) =>
        of
          .selectFrom('vcs_installation_links')
          .select('organisation_id')
          .where('installation_id', '=', String(installationId ?? 0)),
      )
      .execute();
  }
  return query
    .where('a.organisation_id', 'in', (of) =>
      of
        .selectFrom('vcs_connection_links as l')
        .innerJoin('vcs_connections as c', 'c.id', 'l.connection_id')
        .select('l.organisation_id')
        .where('c.provider', '=', provider),
    )
    .execute();
}

/**
 * An id stays when a repository is renamed; where none is known, the path has to do. Of the first host: see
 * pushed-application.
 */
function isOfRepository(provider: GitProvider, { id, fullName }: PushEvent['repository']) {
  const isPath = sql<boolean>`a.repository_path = ${fullName.toLowerCase()}`;
  if (provider === 'provider1' && /^\d{1,18}$/.test(id)) {
    return sql<boolean>`(a.provider1_repo_id = ${id}::bigint or ${isPath})`;
  }
  if (provider === 'provider2' && /^\d{1,18}$/.test(id)) {
    return sql<boolean>`(a.provider2_project_id = ${id}::bigint or (a.provider2_project_id is null and ${isPath}))`;
  }
  if (provider === 'provider3') {
    const spellings = [id, id.toLowerCase(), id.toUpperCase()];
    return sql<boolean>`(a.provider3_repo_uuid = any (${spellings}) or (a.provider3_repo_uuid is null and ${isPath}))`;
  }
  return isPath;
}

/** Production first, then the oldest. */
export async function listPushedEnvironments(db: Db | Tx, applicationId: string): Promise<PushedEnvironment[]> {
  const { rows } = await sql<PushedEnvironment>`
    select e.id, e.vcs_branch, e.is_production, e.auto_deploy, e.made_by_push, e.status,
      case when d.id is not null then
        json_build_object('status', d.status, 'commit_sha', d.commit_sha, 'created_at', d.created_at)
      end as newest,
      (
        select head from (
          (
            select commit_sha as head, created_at as at from deployments
            where environment_id = e.id and commit_sha is not null and vcs_branch = coalesce(e.vcs_branch, a.vcs_branch)
            order by created_at desc, id desc limit 1
          ) union all (
            select head, seen_at from vcs_branch_heads
            where application_id = a.id and branch = coalesce(e.vcs_branch, a.vcs_branch)
          )
        ) seen order by at desc limit 1
      ) as "lastHead",
      exists (select from deployments where environment_id = e.id and asked > d.asked) as "isRolledBack"
    from environments e join applications a on a.id = e.application_id left join lateral (
      select id, status, commit_sha, created_at, asked from deployments
      where environment_id = e.id order by created_at desc, id desc limit 1
    ) d on true
    where e.application_id = ${applicationId}
    order by e.is_production desc, e.created_at, e.id`.execute(db);
  return rows.map(({ newest, ...row }) => ({
    ...row,
    newest: newest && { ...newest, created_at: new Date(newest.created_at) },
  }));
}

/** The newest deployment is just reading its branch: which commit it will have found is known when its job has. */
export async function isReadingBranch(db: Db, environmentId: string): Promise<boolean> {
  const { rows } = await sql<{ isReading: boolean }>`
    select d.status = 'building' and d.stage = 'fetching' and exists (
      select from jobs where id = d.job_id and state in ('queued', 'running')
    ) as "isReading"
    from deployments d where d.environment_id = ${environmentId}
    order by d.created_at desc, d.id desc limit 1`.execute(db);
  return rows[0]?.isReading === true;
}

/** Where the branch was when a push of it was last acted on; null: nobody knows. */
export async function findBranchHead(db: Db | Tx, applicationId: string, branch: string): Promise<string | null> {
  const found = await db
    .selectFrom('vcs_branch_heads')
    .select('head')
    .where('application_id', '=', applicationId)
    .where('branch', '=', branch)
    .executeTakeFirst();
  return found?.head ?? null;
}

/** Where it has no environment nothing is noted: it may be given one later, for the same commit. Null: it is gone. */
export async function noteBranchHead(
  db: Db,
  { applicationId, branch, head }: { applicationId: string; branch: string; head: string | null },
): Promise<void> {
  if (head === null) {
    await db
      .deleteFrom('vcs_branch_heads')
      .where('application_id', '=', applicationId)
      .where('branch', '=', branch)
      .execute();
    return;
  }
  await sql`
    insert into vcs_branch_heads (application_id, branch, head)
    select a.id, ${branch}, ${head} from applications a
    where a.id = ${applicationId} and exists (
      select from environments e
      where e.application_id = a.id and e.status <> 'deleting' and coalesce(e.vcs_branch, a.vcs_branch) = ${branch}
    )
    on conflict (application_id, branch) do update set head = excluded.head, seen_at = now()`.execute(db);
}
