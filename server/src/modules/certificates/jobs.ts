import { handleJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/schedule.ts';
import type { CertificatesDeps } from './certificates-deps.ts';
import { ocspJob, orderJob, watchJob } from './job-kinds.ts';
import { orderCertificate } from './order-certificate.ts';
import { watchCertificates } from './watch-certificates.ts';

const WATCH = { everyMs: 60_000, firstMs: 1000 };

/** What the worker does for certificates. Places of their own: no build keeps a domain waiting. */
export function certificateJobs(deps: CertificatesDeps): JobHandler[] {
  return [
    handleJob(orderJob, (subject, context) => orderCertificate(deps, subject, context), {
      limits: { perWorker: 8, perGroup: 4 },
      timeoutMs: 5 * 60_000,
    }),
    // What reads such words takes long to load, and few authorities still give them.
    handleJob(
      ocspJob,
      async (subject, context) => (await import('./check-ocsp.ts')).checkOcsp(deps, subject, context),
      {
        limits: { perWorker: 4, perGroup: 2 },
        timeoutMs: 60_000,
      },
    ),
    periodicJob(watchJob, WATCH, () => watchCertificates(deps)),
  ];
}
