import './activity.css';
import type { ReactNode } from 'react';
import { Link } from '../../lib/router.tsx';
import { Name } from '../../parts/name.tsx';
import { Time } from '../../parts/time.tsx';
import { type ActivityEntry, describeAction, isGone, type KnownDeployment, sayWhich } from './describe-activity.ts';

interface ActivityRowProps {
  entry: Pick<ActivityEntry, 'action' | 'actor_email' | 'created_at' | 'deployment_id'>;
  /** Those that can be named. */
  deployments?: readonly KnownDeployment[];
  /** What it was done to. */
  children?: ReactNode;
}

/** What was done, to what, by whom and when. */
export function ActivityRow({ entry, deployments = [], children }: ActivityRowProps) {
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

/** The deployment that it is about. */
function Which({ entry, deployments }: Required<Omit<ActivityRowProps, 'children'>>) {
  const { action, deployment_id: id } = entry;
  if (id === null) return null;
  const shown = <Name of={sayWhich(id, deployments)} />;
  return (
    <span className="break">
      {before[action]}
      {isGone(entry, deployments) ? shown : <Link href={`/deployments/${id}`}>{shown}</Link>}
    </span>
  );
}
