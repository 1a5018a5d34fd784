import './activity.css';
import type { ReactNode } from 'react';
import { Link } from '../../lib/router.tsx';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';
import { type ActivityEntry, describeAction, isGone, type KnownDeployment, sayWhich } from './describe-activity.ts';

interface ActivityRowProps {
  entry: Pick<ActivityEntry, 'action' | 'actor_email' | 'created_at' | 'deployment_id'>;
  /** Those of its environment, to name it by; left out where they are of many environments. */
  deployments?: readonly KnownDeployment[];
  /** What it was done to. */
  children?: ReactNode;
}

/** What was done, to what, by whom and when. */
export function ActivityRow({ entry, deployments, children }: ActivityRowProps) {
  return (
    <li className="row activity-row">
      <div className="row-main break">
        <strong>{describeAction(entry.action)}</strong> {children} <Which {...{ entry, deployments }} />
      </div>
      <span className="meta break">
        <Name of={entry.actor_email} />
      </span>
      <span className="meta activity-time">
        <Time at={entry.created_at} />
      </span>
    </li>
  );
}

const before: Record<string, string> = { deployment_rolled_back: 'to ', application_created: 'with deployment ' };
const unnamed: Record<string, string> = { deployment_rolled_back: 'to ', application_created: 'with ' };

interface WhichProps {
  entry: ActivityRowProps['entry'];
  deployments: readonly KnownDeployment[] | undefined;
}

/** The deployment that it is about. */
function Which({ entry, deployments }: WhichProps) {
  const { action, deployment_id: id } = entry;
  if (id === null) return null;
  if (deployments === undefined) {
    return (
      <span className="activity-short">
        {unnamed[action]}
        <Link href={`/deployments/${id}`}>{unnamed[action] ? 'a deployment' : 'View deployment'}</Link>
      </span>
    );
  }
  const shown = <Name of={sayWhich(id, deployments)} />;
  const isNamed = deployments.some((each) => each.id === id);
  return (
    <span className={isNamed ? 'break' : 'activity-short'}>
      {before[action]}
      {isGone(entry, deployments) ? shown : <Link href={`/deployments/${id}`}>{shown}</Link>}
    </span>
  );
}
