import { defineJob, type NewJob } from '../../jobs/job.ts';

export interface TearDownPayload {
  environmentId: string;
}

/** Removes what an environment that is being deleted leaves behind, and in the end the environment itself. */
export const tearDown = defineJob<TearDownPayload>('environments.tear-down', { maxAttempts: 20 });

/** In the lane of its builds: none of them runs meanwhile. */
export function tearDownJobOf(environmentId: string): NewJob<TearDownPayload> {
  return { kind: tearDown, payload: { environmentId }, key: environmentId, lane: `build ${environmentId}` };
}
