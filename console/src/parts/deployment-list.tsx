import './deployment-list.css';
import { type Deployment, isMoving, nameDeployment } from '../lib/describe-deployment.ts';
import { formatDuration } from '@lilac/contract/format-duration';
import { Link } from '../lib/router.tsx';
import { tookMs } from '../lib/runs-of.ts';
import type { Loaded } from '../lib/use-call.ts';
import type { EnvironmentEntry } from '../lib/why-deployed.ts';
import { usePermission } from '../shell/member-context.ts';
import { CommitAndTime } from './commit-and-time.tsx';
import { DeploymentBadge } from './deployment-badge.tsx';
import { Loading } from './loading.tsx';
import { Name } from './name.tsx';
import { RollbackButton } from './rollback-button.tsx';
import { WhyAndWho } from './why-and-who.tsx';

interface DeploymentListProps {
  environment: { id: string; name: string; auto_deploy: boolean };
  list: Loaded<Deployment[]>;
  /** What is served now. */
  live: Deployment | null;
  /** What was done to the environment. */
  entries: readonly EnvironmentEntry[];
}

/** An environment's deployments, newest first. */
export function DeploymentList({ environment, list, live, entries }: DeploymentListProps) {
  const mayRollBack = usePermission('update:projects');
  return (
    <Loading of={list}>
      {(deployments) => {
        if (deployments.length === 0) return <p className="about">Nothing was deployed yet.</p>;
        return (
          <ul className="rows deployment-rows" aria-label="Deployments">
            {deployments.map((deployment) => (
              <li key={deployment.id} className="row">
                <DeploymentRow {...{ deployment, deployments, entries }} />
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

interface DeploymentRowProps {
  deployment: Deployment;
  deployments: readonly Deployment[];
  entries: readonly EnvironmentEntry[];
}

function DeploymentRow({ deployment, deployments, entries }: DeploymentRowProps) {
  const { id, commit_sha: sha, started_at } = deployment;
  const name = nameDeployment(deployment);
  const took = tookMs(deployment);
  return (
    <div className="row-main">
      <div className="deployment-row-head">
        <Link href={`/deployments/${id}`} className="deployment-row-name" title={name}>
          <Name of={name} />
        </Link>
        <DeploymentBadge deployment={deployment} />
      </div>
      <p className="meta">
        <CommitAndTime sha={sha} at={started_at} />
        {took !== null && ` · took ${formatDuration(took)}`}
      </p>
      <WhyAndWho {...{ deployment, deployments, entries }} />
    </div>
  );
}
