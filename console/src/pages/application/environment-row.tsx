import type { OutputOf } from '../../lib/api-types.ts';
import { nameDeployment, shortSha } from '../../lib/describe-deployment.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { DeployButton } from './deploy-button.tsx';

type Environment = OutputOf<'environments.list'>[number];

export function EnvironmentRow({ environment }: { environment: Environment }) {
  const { id, name, is_production, status, url, vcs_branch, trouble } = environment;
  // Production is deployed from the head of the page.
  const mayDeploy = usePermission('update:projects') && status !== 'deleting' && !is_production;
  return (
    <li className="row env-row" aria-label={name}>
      <div className="env-row-name">
        <div className="env-row-title">
          <Link href={`/environments/${id}`} className="env-row-link">
            {name}
          </Link>
          <StatusBadge status={status} />
          {is_production && name !== 'production' && <Badge>production</Badge>}
        </div>
        <a className="env-row-url break" href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
        {vcs_branch && (
          <p className="meta env-row-branch">
            <Icon name="branch" /> <span className="break">{vcs_branch}</span>
          </p>
        )}
      </div>
      <LastDeployment environment={environment} />
      {mayDeploy && <DeployButton environment={environment} />}
      {trouble && <p className="notice notice-warning row-more">{trouble}</p>}
    </li>
  );
}

const MOVING_MS = 5000;
const SETTLED_MS = 15_000;

function LastDeployment({ environment: { id, status } }: { environment: Environment }) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId: id, limit: 1 };
  const refreshMs = status === 'deploying' || status === 'pending' ? MOVING_MS : SETTLED_MS;
  const { data } = useCall('deployments.list', { body }, { refreshMs });
  const last = data?.[0];
  if (!last) return <p className="env-row-last meta">{data && 'Not deployed yet'}</p>;
  return (
    <div className="env-row-last">
      <div className="env-row-title">
        <Link href={`/deployments/${last.id}`} className="env-row-subject">
          {nameDeployment(last)}
        </Link>
        {last.status !== 'healthy' && <StatusBadge status={last.status} />}
      </div>
      <p className="meta">
        {last.commit_sha && (
          <>
            <code>{shortSha(last.commit_sha)}</code>
            {' · '}
          </>
        )}
        <Time at={last.started_at} />
      </p>
    </div>
  );
}
