import type { EnvironmentStatus } from '@lilac/contract/states';
import type { Environment } from '../environment-page.tsx';

type Standing = Pick<Environment, 'status' | 'live_deployment_id'>;

const served: Record<EnvironmentStatus, string> = {
  pending: 'Nothing was deployed here yet.',
  deploying: 'A new deployment is on its way; until it is ready, the one before is served.',
  healthy: 'It is served, and all is well.',
  // An instance that ends, or an attempt that failed while what is served is well: the notice above says which.
  degraded: 'It is served, and something went wrong: see above.',
  failed: 'The last deployment failed; the one before is served.',
  deleting: 'It is being deleted.',
};

const notServed: Record<EnvironmentStatus, string> = {
  ...served,
  deploying: 'The first deployment is on its way.',
  failed: 'The last deployment failed, and nothing is served.',
};

/** How an environment is, in a sentence; the instances that run now are null where they were not counted. */
export function describeStanding({ status, live_deployment_id }: Standing, instances: number | null): string {
  if (status === 'healthy' && instances === 0) return 'Asleep: the next visitor wakes it.';
  return (live_deployment_id === null ? notServed : served)[status];
}
