import type { ReactNode } from 'react';
import { nameDeployment } from '../../lib/describe-deployment.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Sparkline } from '../../parts/sparkline/sparkline.tsx';
import type { SparkPoint } from '../../parts/sparkline/path.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CommitAndTime } from '../../parts/commit-and-time.tsx';
import type { ListedApplication } from './list-request.ts';

interface ApplicationRowProps {
  application: ListedApplication;
  /** Not there until they have come, or where there is no production. */
  points: readonly SparkPoint[] | undefined;
  /** What can be done to it. */
  children: ReactNode;
}

export function ApplicationRow({ application, points, children }: ApplicationRowProps) {
  const { id, name, status, url, framework, deployment_type, last_deployment } = application;
  return (
    <li className="row app-row" aria-label={name}>
      <div className="app-row-name">
        <div className="app-row-title">
          <Link href={`/apps/${id}`} className="app-row-link">
            {name}
          </Link>
          <StatusBadge status={status} />
        </div>
        <a className="out-link break" href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
          <Icon name="out" />
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
        <p className="meta">{framework === deployment_type ? framework : `${framework} · ${deployment_type}`}</p>
      </div>
      <LastDeployment last={last_deployment} />
      <div className="app-row-spark">{points && <Sparkline points={points} />}</div>
      {children}
    </li>
  );
}

function LastDeployment({ last }: { last: ListedApplication['last_deployment'] }) {
  if (!last) return <p className="app-row-last meta">Not deployed yet</p>;
  const { id, status, commit_sha: sha, started_at } = last;
  return (
    <div className="app-row-last">
      <div className="app-row-title">
        <Link href={`/deployments/${id}`} className="app-row-subject">
          {nameDeployment(last)}
        </Link>
        {status !== 'healthy' && <StatusBadge status={status} />}
      </div>
      <p className="meta">
        <CommitAndTime sha={sha} at={started_at} />
      </p>
    </div>
  );
}
