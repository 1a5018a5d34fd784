import './deployment-list.css';
import { type Deployment, isMoving, nameDeployment } from '../lib/describe-deployment.ts';
import { durationBetween, formatDuration } from '../lib/format-duration.ts';
import { Link } from '../lib/router.tsx';
import { useCall } from '../lib/use-call.ts';
import { useMember, usePermission } from '../shell/member-context.ts';
import { Badge } from './badge.tsx';
import { Loading } from './loading.tsx';
import { RollbackButton } from './rollback-button.tsx';
import { StatusBadge } from './status-badge.tsx';
import { CommitAndTime } from './commit-and-time.tsx';

interface DeploymentListProps {
  environment: { id: string; name: string };
  /** The newest only. */
  limit?: number;
}

const REFRESH_MS = 5000;

/** An environment's deployments, newest first, renewed while somebody looks. */
export function DeploymentList({ environment, limit = 20 }: DeploymentListProps) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId: environment.id, limit };
  const list = useCall('deployments.list', { body }, { refreshMs: REFRESH_MS });
  const mayRollBack = usePermission('update:projects');
  return (
    <Loading of={list}>
      {(deployments) => {
        if (deployments.length === 0) return <p className="about">Nothing was deployed yet.</p>;
        const live = deployments.find(({ is_live }) => is_live) ?? null;
        return (
          <ul className="rows deployment-rows" aria-label="Deployments">
            {deployments.map((deployment) => (
              <li key={deployment.id} className="row">
                <DeploymentRow deployment={deployment} />
                {mayRollBack && deployment.can_rollback && !deployment.is_live && !isMoving(deployment) && (
                  <RollbackButton {...{ environment, live }} target={deployment} look="quiet" onAsked={list.reload} />
                )}
              </li>
            ))}
          </ul>
        );
      }}
    </Loading>
  );
}

function DeploymentRow({ deployment }: { deployment: Deployment }) {
  const { id, status, is_live, commit_sha: sha, started_at, completed_at, stages } = deployment;
  const began = stages[0]?.started_at ?? started_at;
  return (
    <div className="row-main">
      <div className="deployment-row-head">
        <Link href={`/deployments/${id}`} className="deployment-row-name">
          {nameDeployment(deployment)}
        </Link>
        <StatusBadge status={status} />
        {is_live && <Badge tone="good">live</Badge>}
      </div>
      <p className="meta">
        <CommitAndTime sha={sha} at={started_at} />
        {completed_at && !isMoving(deployment) && ` · took ${formatDuration(durationBetween(began, completed_at))}`}
      </p>
    </div>
  );
}
