import type { JobContext } from '../../jobs/job.ts';

/**
 * Says in the platform's log when a step of a deployment begins and ends, so that a request can be followed through.
 */
export async function logStep(
  step: 'build' | 'release',
  { deploymentId, context }: { deploymentId: string; context: Pick<JobContext, 'attempt' | 'log'> },
  work: () => Promise<void>,
): Promise<void> {
  const { attempt, log } = context;
  const began = performance.now();
  log.info({ deployment: deploymentId, attempt }, `a ${step} begins`);
  await work();
  log.info({ deployment: deploymentId, ms: Math.round(performance.now() - began) }, `a ${step} is over`);
}
