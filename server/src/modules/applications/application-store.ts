import { sortColumns } from '@lilac/contract/sort-columns';
import { sql, type Insertable } from 'kysely';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { ApplicationRow, ApplicationsTable, DeploymentRow, EnvironmentRow } from '../../db/schema.ts';

/** Which repository it is of. */
export type RepositoryColumn =
  | 'vcs_repo_url'
  | 'git_provider'
  | 'repository_path'
  | 'is_private'
  | 'provider1_repo_id'
  | 'provider2_project_id'
  | 'provider3_repo_uuid'
  | 'push_trouble';

export type PushColumn = 'auto_deploy_on_push' | 'auto_deploy_branches' | 'auto_delete_stale_envs';
export type EnvironmentSummary = Pick<EnvironmentRow, 'id' | 'name' | 'is_production'>;

export function listApplications(db: Db, organisationId: string, request: PageRequest): Promise<Page<ApplicationRow>> {
  return readPage(db, { table: 'applications', organisationId, sortColumns: sortColumns.applications }, request);
}

export type NamedDeployment = Pick<
  DeploymentRow,
  'id' | 'commit_sha' | 'commit_message' | 'upload_name' | 'created_at'
>;

export interface ProductionSummary {
  environmentId: string;
  lastDeployment: (NamedDeployment & Pick<DeploymentRow, 'status'>) | null;
  liveDeployment: (NamedDeployment & { isRolledBack: boolean }) | null;
}

/**
 * The production of each application, with its newest deployment and with what it serves: one question for a whole
 * page.
 */
export async function readProductions(
  db: Db,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, ProductionSummary>> {
  const rows = await productionsStatement(db, applicationIds).execute();
  return new Map(
    rows.map(({ application_id, environment_id, id, status, created_at, ...rest }) => {
      const { live_id, live_sha, live_message, live_upload, live_created_at, is_rolled_back, ...names } = rest;
      const live = {
        commit_sha: live_sha,
        commit_message: live_message,
        upload_name: live_upload,
        isRolledBack: is_rolled_back,
      };
      return [
        application_id,
        {
          environmentId: environment_id,
          lastDeployment: id && status && created_at ? { id, status, created_at, ...names } : null,
          liveDeployment: live_id && live_created_at ? { id: live_id, created_at: live_created_at, ...live } : null,
        },
      ];
    }),
  );
}

/** Of each environment the index of its deployments gives the newest. */
function productionsStatement(db: Db, applicationIds: readonly string[]) {
  return db
    .selectFrom('environments as e')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('deployments as newest')
          .select(['newest.id', 'newest.status', 'newest.commit_sha', 'newest.commit_message'])
          .select(['newest.upload_name', 'newest.created_at'])
          .whereRef('newest.environment_id', '=', 'e.id')
          .orderBy('newest.created_at', 'desc')
          .orderBy('newest.id', 'desc')
          .limit(1)
          .as('d'),
      (join) => join.onTrue(),
    )
    .leftJoin('deployments as live', 'live.id', 'e.live_deployment_id')
    .select(['e.application_id', 'e.id as environment_id'])
    .select(['d.id', 'd.status', 'd.commit_sha', 'd.commit_message', 'd.upload_name', 'd.created_at'])
    .select(['live.id as live_id', 'live.commit_sha as live_sha', 'live.commit_message as live_message'])
    .select(['live.upload_name as live_upload', 'live.created_at as live_created_at'])
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('deployments as newer')
            .select('newer.id')
            .whereRef('newer.environment_id', '=', 'e.id')
            .whereRef('newer.created_at', '>', 'live.created_at')
            // Also one that was live and could not be served again since.
            .where('newer.released_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('is_rolled_back'),
    )
    .where('e.application_id', '=', sql<string>`any (${applicationIds})`)
    .where('e.is_production', '=', true);
}

/** Production first, then the oldest. */
export function listEnvironmentsOf(db: Db, applicationId: string): Promise<EnvironmentSummary[]> {
  return db
    .selectFrom('environments')
    .select(['id', 'name', 'is_production'])
    .where('application_id', '=', applicationId)
    .orderBy('is_production', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function insertApplication(tx: Tx, application: Insertable<ApplicationsTable>): Promise<ApplicationRow> {
  return tx.insertInto('applications').values(application).returningAll().executeTakeFirstOrThrow();
}

/**
 * Whoever changes an application or one of its environments takes this first: one at a time. Rows are always
 * locked in this order: the application, its environments by their ids, deployments, jobs, routes last.
 * Null when it is gone.
 */
export async function lockApplication(tx: Tx, id: string): Promise<ApplicationRow | null> {
  const locked = await tx
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

export function updateApplication(
  tx: Tx,
  id: string,
  columns: Partial<Pick<ApplicationRow, 'name' | 'slug' | 'status' | 'project_id' | PushColumn | RepositoryColumn>>,
): Promise<ApplicationRow> {
  return tx
    .updateTable('applications')
    .set({ ...columns, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteApplicationRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute();
}

/** Keeps the folder from being deleted until the transaction ends; false when the organisation has no such folder. */
export async function holdFolder(
  tx: Tx,
  { organisationId, folderId }: { organisationId: string; folderId: string },
): Promise<boolean> {
  const held = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', folderId)
    .where('organisation_id', '=', organisationId)
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

export type Tenant = Pick<ApplicationRow, 'id' | 'name'> &
  Pick<EnvironmentRow, 'subdomain'> & { environment_id: string };

/** Who answers at a subdomain, within the organisation. */
export async function findTenant(
  db: Db,
  { organisationId, subdomain }: { organisationId: string; subdomain: string },
): Promise<Tenant | null> {
  const found = await db
    .selectFrom('environments as e')
    .innerJoin('applications as a', 'a.id', 'e.application_id')
    .select(['a.id', 'a.name', 'e.id as environment_id', 'e.subdomain'])
    .where('e.subdomain', '=', subdomain)
    .where('e.organisation_id', '=', organisationId)
    .where('e.status', '<>', 'deleting')
    .executeTakeFirst();
  return found ?? null;
}
