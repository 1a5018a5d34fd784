import './served-and-newest.css';
import { type Deployment, isMoving, nameDeployment, type NamedDeployment } from '../lib/describe-deployment.ts';
import { Link } from '../lib/router.tsx';
import { Badge } from './badge.tsx';
import { CommitAndTime } from './commit-and-time.tsx';
import { Name } from './name.tsx';
import { StatusBadge } from './status-badge.tsx';

type Served = NamedDeployment & Pick<Deployment, 'id'>;
type Newest = Served & Pick<Deployment, 'status'>;

interface ServedAndNewestProps {
  live: Served | null;
  newest: Newest | null;
  isRolledBack: boolean;
}

/** Two lines of a phone. */
const ROOM = 60;

/** What visitors get; and the newest deployment, where that is another. */
export function ServedAndNewest({ live, newest, isRolledBack }: ServedAndNewestProps) {
  const shown = live ?? newest;
  if (!shown) return <p className="served meta">Not deployed yet</p>;
  const other = live && newest && newest.id !== live.id ? newest : null;
  return (
    <div className="served">
      <div className="served-title">
        <Link href={`/deployments/${shown.id}`} className="served-name">
          <Name of={nameDeployment(shown)} room={ROOM} />
        </Link>{' '}
        {isRolledBack && <Badge tone="warning">rolled back</Badge>}
        {!live && newest && newest.status !== 'healthy' && <StatusBadge status={newest.status} />}
      </div>
      <p className="meta">
        <CommitAndTime sha={shown.commit_sha} at={shown.started_at} />
      </p>
      {other && (
        <p className="meta served-other">
          {sayOf(other)}:{' '}
          <Link href={`/deployments/${other.id}`}>
            <Name of={nameDeployment(other)} room={ROOM} />
          </Link>
        </p>
      )}
    </div>
  );
}

function sayOf({ status }: Newest): string {
  if (isMoving({ status })) return 'On its way';
  if (status === 'healthy') return 'Newer, not served';
  // Not "stopped": what is served has not.
  return status === 'failed' ? 'Failed since' : 'Cancelled since';
}
