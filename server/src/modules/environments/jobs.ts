import { defineJob, handleJob, takenByLeader, type JobHandler } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import { tearDownEnvironment, type TearDownDeps } from './tear-down-environment.ts';
import { tearDown, tearDownJobOf } from './tear-down-job.ts';
import { listStuckEnvironments } from './tear-down-store.ts';

const EVERY_MS = 10 * 60 * 1000;
const STUCK_MINUTES = 10;

const resume = defineJob<NoPayload>('environments.resume-tear-down', { maxAttempts: 1 });

/** What the worker does for environments: removes those that are deleted, and sees to it that none is forgotten. */
export function environmentJobs(deps: TearDownDeps): JobHandler[] {
  return [
    ...takenByLeader('instances', [
      handleJob(tearDown, ({ environmentId }, { signal }) => tearDownEnvironment(deps, environmentId, signal), {
        backoff: { firstMs: 1000, maxMs: 60_000 },
        timeoutMs: 10 * 60 * 1000,
      }),
    ]),
    periodicJob(resume, EVERY_MS, () => resumeTearDown(deps)),
  ];
}

async function resumeTearDown({ store: { db } }: Pick<TearDownDeps, 'store'>): Promise<void> {
  for (const id of await listStuckEnvironments(db, STUCK_MINUTES)) {
    await db.transaction().execute((tx) => enqueue(tx, tearDownJobOf(id)));
  }
}
