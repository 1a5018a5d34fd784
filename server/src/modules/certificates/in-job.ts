import type { Tx } from '../../db/pool.ts';
import { holdJob } from '../../jobs/claim-store.ts';
import type { JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import type { CertificatesDeps } from './certificates-deps.ts';

/** What is written, is written while the job is ours. */
export function inJob<T>(
  { store }: Pick<CertificatesDeps, 'store'>,
  context: JobContext,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return store.db.transaction().execute(async (tx) => {
    if (!(await holdJob(tx, context))) throw new JobStopped('lost');
    return work(tx);
  });
}
