import type { EnvironmentStatus } from '@lilac/contract/states';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { lastOutcome } from '../../lib/last-tried.ts';
import type { Environment } from './environment-page.tsx';

type Read = Pick<Environment, 'status' | 'live_deployment_id' | 'trouble'>;
type Known = Pick<Deployment, 'status' | 'completed_at' | 'is_live'>;

/**
 * How an environment is, as its deployments have it: both are asked for, one after the other, and a page that shows
 * both must not say of one that it is on its way, and of the other that it has arrived. By the platform's own rule; what
 * deployments do not tell is as it was read, and so is everything while they are not known.
 */
export function standingNow(read: Read, deployments: readonly Known[] | undefined): EnvironmentStatus {
  const { status } = read;
  if (deployments === undefined || status === 'deleting') return status;
  const isServed = read.live_deployment_id !== null || deployments.some(({ is_live }) => is_live);
  const moving = deployments.filter(isMoving);
  if (moving.length > 0) return isServed || moving.some((each) => each.status !== 'pending') ? 'deploying' : 'pending';
  if (status !== 'deploying') return status;
  const hasFailed = lastOutcome(deployments)?.status === 'failed';
  if (isServed) return hasFailed || read.trouble !== null ? 'degraded' : 'healthy';
  return hasFailed ? 'failed' : 'pending';
}
