import type { Deployment } from '../lib/describe-deployment.ts';
import { Badge } from './badge.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Only what is served shines: a good deployment that is not any more is a thing of the past. */
export function DeploymentBadge({
  deployment: { status, is_live },
}: {
  deployment: Pick<Deployment, 'status' | 'is_live'>;
}) {
  if (status !== 'healthy') {
    return (
      <>
        <StatusBadge status={status} />
        {is_live && <Badge tone="good">live</Badge>}
      </>
    );
  }
  return is_live ? <Badge tone="good">live</Badge> : <Badge>was live</Badge>;
}
