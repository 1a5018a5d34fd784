import type { Plan } from '@lilac/contract/plans';
import type { DeploymentStage } from '@lilac/contract/states';
import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { ApplicationRow, ArtifactRow, DeploymentRow, DeploymentsTable, EnvironmentRow } from '../../db/schema.ts';
import type { History } from './deployment.ts';
import { firstRunKept, firstStage, stagesKept, stagesWith } from './stage-store.ts';

/** Whoever follows a deployment is woken here, by its id, for another stage and for more of its log. */
export const DEPLOYMENT_CHANNEL = 'lilac_deployments';

export interface HeldEnvironment {
  environment: EnvironmentRow;
  application: ApplicationRow;
}

/**
 * Nobody else changes the environment's deployments until the transaction ends. Rows are always locked
 * in this order, so that no two transactions wait for each other: the application, the environment,
 * deployments, jobs, and the routes last.
 */
export async function holdEnvironment(tx: Tx, environmentId: string): Promise<HeldEnvironment | null> {
  const application = await tx
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', (of) => of.selectFrom('environments').select('application_id').where('id', '=', environmentId))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!application) return null;
  const environment = await tx
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', environmentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return environment ? { application, environment } : null;
}

/** Call it within `holdEnvironment` where what it says decides something. */
export async function readHistory(db: Db | Tx, environmentId: string): Promise<History> {
  const entries = await db
    .selectFrom('deployments')
    .innerJoin('environments', 'environments.id', 'deployments.environment_id')
    .select([
      'deployments.id',
      'deployments.status',
      'artifact_id',
      'job_id',
      'asked',
      'deployments.created_at',
      'completed_at',
      'released_at',
      'live_deployment_id',
      'trouble',
    ])
    .where('environment_id', '=', environmentId)
    .orderBy('deployments.created_at', 'desc')
    .orderBy('deployments.id', 'desc')
    .execute();
  const [first] = entries;
  return { liveId: first?.live_deployment_id ?? null, hasTrouble: Boolean(first?.trouble), entries };
}

export function findDeployment(db: Db | Tx, id: string): Promise<DeploymentRow | undefined> {
  return db.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Nobody else changes it until the transaction ends. */
export function holdDeployment(tx: Tx, id: string): Promise<DeploymentRow | undefined> {
  return tx.selectFrom('deployments').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** The newest first, as in `readHistory`. */
export async function readDeployments(db: Db, ids: readonly string[]): Promise<DeploymentRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('deployments')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Made when its turn came, not when its transaction began: the list then tells who superseded whom. */
export function insertDeployment(tx: Tx, row: Insertable<DeploymentsTable>): Promise<DeploymentRow> {
  return tx
    .insertInto('deployments')
    .values({
      ...row,
      upload_name: (of) =>
        of
          .selectFrom('uploads')
          .select('file_name')
          .where('id', '=', row.upload_id ?? null),
      stages: firstStage(row.stage ?? 'queued'),
      created_at: justNow,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Takes the next place in the order of the asking. To be called while the environment is held. */
export function askAgain(tx: Tx, id: string, change: DeploymentChange): Promise<DeploymentRow> {
  return changeDeployment(tx, id, { ...change, asked: sql<string>`nextval('deployment_requests')` });
}

export type DeploymentChange = Omit<
  Updateable<DeploymentsTable>,
  'stage' | 'stages' | 'first_run' | 'asked' | 'completed_at' | 'released_at'
> & { stage?: DeploymentStage };

export function updateDeployment(tx: Tx, id: string, change: DeploymentChange): Promise<DeploymentRow> {
  return changeDeployment(tx, id, change);
}

/** Not the transaction's beginning: what ended later must have the later time. */
const justNow = sql<Date>`clock_timestamp()`;

/** The deployment has come to its end, in whichever way. */
export async function finishDeployment(tx: Tx, id: string, change: DeploymentChange): Promise<void> {
  await changeDeployment(tx, id, { ...change, completed_at: justNow });
}

/** Of one that was live before: nobody was led to it again, and it is as good as it was. */
export async function abandonRelease(tx: Tx, id: string): Promise<void> {
  const asBefore = { status: 'healthy', stage: 'released', error: null } as const;
  await changeDeployment(tx, id, { ...asBefore, stages: stagesKept, completed_at: justNow });
}

export async function makeLive(tx: Tx, { id, environment_id }: DeploymentRow): Promise<void> {
  const released = { status: 'healthy', stage: 'released', error: null } as const;
  await changeDeployment(tx, id, { ...released, completed_at: justNow, released_at: justNow });
  // What was wrong was wrong with what was live before.
  const change = { live_deployment_id: id, trouble: null };
  await tx.updateTable('environments').set(change).where('id', '=', environment_id).execute();
}

interface WholeChange extends DeploymentChange {
  asked?: RawBuilder<string>;
  stages?: RawBuilder<string>;
  completed_at?: RawBuilder<Date>;
  released_at?: RawBuilder<Date>;
}

/** The one way in which a deployment changes its stage: the time is noted with it, and followers are told. */
async function changeDeployment(tx: Tx, id: string, change: WholeChange): Promise<DeploymentRow> {
  const { stage } = change;
  const isTold = stage !== undefined || change.status !== undefined;
  const { told: _, ...row } = await tx
    .updateTable('deployments')
    .set(stage === undefined ? change : { stages: stagesWith(stage), first_run: firstRunKept, ...change })
    .where('id', '=', id)
    .returningAll()
    .$if(isTold, (update) => update.returning(sql<string>`pg_notify(${DEPLOYMENT_CHANNEL}, id)`.as('told')))
    .executeTakeFirstOrThrow();
  return row;
}

/** The archive that was deployed last: to this environment, or else to production. */
export async function findNewestUpload(tx: Tx, environment: EnvironmentRow): Promise<string | null> {
  const row = await tx
    .selectFrom('deployments')
    .innerJoin('environments', 'environments.id', 'deployments.environment_id')
    .select('upload_id')
    .where('deployments.application_id', '=', environment.application_id)
    .where('upload_id', 'is not', null)
    .where((or) => or.or([or('environments.id', '=', environment.id), or('is_production', '=', true)]))
    .orderBy((by) => by.case().when('environments.id', '=', environment.id).then(0).else(1).end())
    .orderBy('deployments.created_at', 'desc')
    .orderBy('deployments.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.upload_id ?? null;
}

export function findArtifact(tx: Tx, id: string): Promise<ArtifactRow | undefined> {
  return tx.selectFrom('artifacts').selectAll().where('id', '=', id).where('state', '=', 'whole').executeTakeFirst();
}

export async function findPlan(tx: Tx, organisationId: string): Promise<Plan> {
  const query = tx.selectFrom('organisations').select('plan').where('id', '=', organisationId);
  return (await query.executeTakeFirstOrThrow()).plan;
}

export async function findStoragePath(tx: Tx, uploadId: string): Promise<string | null> {
  const row = await tx.selectFrom('uploads').select('storage_path').where('id', '=', uploadId).executeTakeFirst();
  return row?.storage_path ?? null;
}

/** What a build found out of the project; what a person has said stays. */
export async function noteDetected(
  tx: Tx,
  applicationId: string,
  { framework, runtime }: { framework: string; runtime: string | null },
): Promise<void> {
  await tx
    .updateTable('applications')
    .set({
      framework: sql<string>`case when is_framework_given then framework else ${framework} end`,
      runtime: sql<string | null>`case when is_runtime_given then runtime else ${runtime} end`,
    })
    .where('id', '=', applicationId)
    .execute();
}

/** Deployments that move by their status, though no job that could move them waits or runs. */
export async function listStuckDeployments(db: Db | Tx): Promise<{ id: string; environment_id: string }[]> {
  const { rows } = await sql<{ id: string; environment_id: string }>`
    select deployments.id, environment_id from deployments
    left join jobs on jobs.id = deployments.job_id and jobs.state in ('queued', 'running')
    where status in ('pending', 'building', 'deploying') and jobs.id is null`.execute(db);
  return rows;
}

/** As it is now; null when the environment is gone. */
export async function readSubdomain(db: Db, environmentId: string): Promise<string | null> {
  const row = await db
    .selectFrom('environments')
    .select('subdomain')
    .where('id', '=', environmentId)
    .executeTakeFirst();
  return row?.subdomain ?? null;
}

/** What came to an end last, if that was a failure. */
export async function findLastFailure(
  db: Db,
  environmentId: string,
): Promise<Pick<DeploymentRow, 'id' | 'error'> | null> {
  const last = await db
    .selectFrom('deployments')
    .select(['id', 'error', 'status'])
    .where('environment_id', '=', environmentId)
    .where('status', 'in', ['healthy', 'failed'])
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.status === 'failed' ? last : null;
}
