import { type Deployment, isMoving } from './describe-deployment.ts';

type Ended = Pick<Deployment, 'status' | 'completed_at'>;

/**
 * What came to an end of its own last, as the platform counts it too: who stops a deployment has learned nothing of
 * what it would have come to, so the one before still says how things are. Null where there is none.
 */
export function lastOutcome<T extends Ended>(deployments: readonly T[]): T | null {
  const ended = deployments.filter((each) => !isMoving(each) && each.status !== 'cancelled');
  return ended.toSorted((one, other) => endedMs(other) - endedMs(one))[0] ?? null;
}

/** What to tell of beside what is served: the newest, or the failure that stopping the newest has left open. */
export function lastTried<T extends Ended>(deployments: readonly T[]): T | null {
  const newest = deployments[0] ?? null;
  const outcome = newest?.status === 'cancelled' ? lastOutcome(deployments) : null;
  return outcome?.status === 'failed' ? outcome : newest;
}

function endedMs({ completed_at }: Ended): number {
  return completed_at === null ? 0 : Date.parse(completed_at);
}
