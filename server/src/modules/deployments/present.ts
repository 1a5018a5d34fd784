import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DeploymentRow } from '../../db/schema.ts';
import { rollbackTargets, type History } from './deployment.ts';

type Deployment = OutputOf<Endpoints['deployments.list']>[number];

/** The history is read once for a whole list. */
export function presentDeployments(rows: readonly DeploymentRow[], { liveId, entries }: History): Deployment[] {
  const targets = rollbackTargets(entries);
  return rows.map((row) => ({
    ...presentBriefly(row),
    deployment_stage: row.stage,
    commit_message: row.commit_message,
    error: row.error,
    is_live: row.id === liveId,
    can_rollback: targets.has(row.id),
    started_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }));
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
