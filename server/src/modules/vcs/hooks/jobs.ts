import type { Tx } from '../../../db/pool.ts';
import { handleJob, type EndedJob, type JobHandler } from '../../../jobs/job.ts';
import { periodicJob } from '../../../jobs/schedule.ts';
import { Fault } from '../../../lib/fault.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { nextTryMs, type Failing } from '../statuses/next-try.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { enqueueHooks, enqueueUnhook, hooksJob, unhookJob, watchJob } from './job-kinds.ts';
import { removeHook } from './remove-hook.ts';
import { settleHook } from './settle-hook.ts';
import { tellOfTrouble } from './tell-of-trouble.ts';
import { WATCH_MS, watchHooks } from './watch-hooks.ts';

type Settled = { again: { failing: Failing; delayMs: number } } | { done: string };

const options = { timeoutMs: 2 * 60_000, limits: { perWorker: 2, perGroup: 1 } };

/** Keeps the hooks of the second and third host as applications want them, and looks whether pushes come of all. */
export function hookJobs(deps: VcsDeps): JobHandler[] {
  return [
    handleJob(
      hooksJob,
      ({ applicationId, failing }, { signal }) =>
        patiently(
          deps,
          { failing, givenUp: (message) => tell(deps, applicationId, message) },
          settleHook(deps, applicationId, signal),
        ),
      {
        ...options,
        onEnd: (tx, { applicationId }, end) =>
          again(end, ({ failing, delayMs }) => enqueueHooks(tx, { applicationId, failing }, { delayMs })),
      },
    ),
    handleJob(
      unhookJob,
      ({ provider, repositoryId, failing }, { signal }) =>
        patiently(deps, { failing }, removeHook(deps, { provider, repositoryId }, signal)),
      {
        ...options,
        onEnd: (tx: Tx, { provider, repositoryId }, end) =>
          again(end, ({ failing, delayMs }) => enqueueUnhook(tx, { provider, repositoryId, failing }, { delayMs })),
      },
    ),
    periodicJob(watchJob, WATCH_MS, () => watchHooks(deps)),
  ];
}

/** A host that is down is asked again for a day; what it refuses is for people to read. */
async function patiently(
  { clock }: VcsDeps,
  { failing, givenUp }: { failing: Failing | undefined; givenUp?: (message: string) => Promise<void> },
  work: Promise<string>,
): Promise<Settled> {
  try {
    return { done: await work };
  } catch (error) {
    if (!(error instanceof HostUnavailable || error instanceof Fault)) throw error;
    const now = clock.now().getTime();
    const so = { since: failing?.since ?? now, tries: (failing?.tries ?? 0) + 1 };
    const delayMs =
      error instanceof HostUnavailable ? nextTryMs(so, { now, retryAfterSeconds: error.retryAfterSeconds }) : null;
    if (delayMs !== null) return { again: { failing: so, delayMs } };
    await givenUp?.(error.message);
    return { done: error.message };
  }
}

async function tell({ store }: VcsDeps, applicationId: string, reason: string): Promise<void> {
  await store.db.transaction().execute((tx) => tellOfTrouble(tx, { applicationId, reason }));
}

/** Written together with the end of the job: a worker that is killed loses nothing. */
async function again(end: EndedJob, enqueue: (next: { failing: Failing; delayMs: number }) => Promise<void>) {
  const result = end.state === 'done' ? (end.result as Settled) : null;
  if (result && 'again' in result) await enqueue(result.again);
}
