import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DeploymentRow } from '../../db/schema.ts';
import { isMoving, rollbackTargets, type History } from './deployment.ts';
import type { FollowedDeployment } from './follow-store.ts';

type Deployment = OutputOf<Endpoints['deployments.list']>[number];

/** The history is read once for a whole list. */
export function presentDeployments(rows: readonly DeploymentRow[], { liveId, entries }: History): Deployment[] {
  const targets = rollbackTargets(entries);
  return rows.map((row) => ({
    ...presentBriefly(row),
    deployment_stage: row.stage,
    commit_message: row.commit_message,
    upload_name: row.upload_name,
    error: row.error,
    is_live: row.id === liveId,
    can_rollback: targets.has(row.id),
    started_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    stages: row.stages.map(presentStage),
    first_run: row.first_run && {
      stages: row.first_run.stages.map(presentStage),
      completed_at: row.first_run.completed_at && new Date(row.first_run.completed_at).toISOString(),
    },
  }));
}

/** As the store writes them into JSON, they have its own form. */
function presentStage({ stage, started_at }: DeploymentRow['stages'][number]): Deployment['stages'][number] {
  return { stage, started_at: new Date(started_at).toISOString() };
}

/** What is answered to whoever sets it in motion. */
export function presentBriefly({
  id,
  environment_id,
  status,
  commit_sha,
}: DeploymentRow): OutputOf<Endpoints['deployments.rollback']> {
  return { id, environment_id, status, commit_sha };
}

type Followed = OutputOf<Endpoints['deployments.stream']>;

/** With the time since when it is so: of its end, or of the stage that it is in. */
export function presentStatus(row: FollowedDeployment): Followed['status'] {
  const { status, stage, stages, is_live, completed_at, created_at } = row;
  const since = stages.at(-1)?.started_at;
  const entered = since === undefined ? created_at : new Date(since);
  const at = !isMoving(row) && completed_at !== null ? completed_at : entered;
  return { status, deployment_stage: stage, is_live, at: at.toISOString() };
}
