import type { ApplicationStatus, EnvironmentStatus } from '@lilac/contract/states';
import { StatusBadge } from './status-badge.tsx';

/**
 * Of an application or an environment. `pending` would promise that something comes by itself; it is said of what was
 * stopped and of what nobody has deployed, too.
 */
export function StandingBadge({ status }: { status: ApplicationStatus | EnvironmentStatus }) {
  return <StatusBadge status={status === 'pending' ? 'not live yet' : status} />;
}
