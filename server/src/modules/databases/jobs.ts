import { handleJob, takenByLeader, type JobHandler } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/schedule.ts';
import { changeDatabase, endChange } from './change-database.ts';
import { changePassword, endPasswordChange } from './change-password.ts';
import type { DatabaseJobsDeps } from './database-jobs-deps.ts';
import { destroyDatabase } from './destroy-database.ts';
import { endStuckDatabases } from './end-stuck-databases.ts';
import { changeJob, deleteJob, provisionJob, renewLinkedJob, rotateJob, watchJob } from './job-kinds.ts';
import { endProvisioning, provisionDatabase } from './provision-database.ts';

const WATCH_MS = 15_000;
const soon = { firstMs: 500, maxMs: 10_000 };
/** Places of their own: neither a build nor another organisation's large database is waited for. */
const limits = { perWorker: 8, perGroup: 4 };

/** What the worker does for databases. */
export function databaseJobs(deps: DatabaseJobsDeps): JobHandler[] {
  return [
    ...takenByLeader('databases', serverJobs(deps)),
    ...takenByLeader('instances', [
      handleJob(renewLinkedJob, ({ databaseId }, { signal }) => deps.links.renew(databaseId, signal), {
        limits,
        backoff: soon,
      }),
    ]),
  ];
}

/** Jobs that work on the servers, as the keeper does. */
function serverJobs(deps: DatabaseJobsDeps): JobHandler[] {
  return [
    handleJob(provisionJob, (subject, context) => provisionDatabase(deps, subject, context), {
      limits,
      backoff: soon,
      onEnd: endProvisioning,
    }),
    handleJob(changeJob, (subject, context) => changeDatabase(deps, subject, context), {
      limits,
      backoff: soon,
      onEnd: endChange,
    }),
    handleJob(rotateJob, (subject, context) => changePassword(deps, subject, context), {
      limits,
      backoff: soon,
      onEnd: endPasswordChange,
    }),
    handleJob(deleteJob, (subject, context) => destroyDatabase(deps, subject, context), { limits, backoff: soon }),
    periodicJob(watchJob, WATCH_MS, () => endStuckDatabases(deps)),
  ];
}
