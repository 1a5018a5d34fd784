import { handleJob, takenByLeader, type JobHandler } from '../../../jobs/job.ts';
import { periodicJob } from '../../../jobs/schedule.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { backUpDue } from './back-up.ts';
import { backupJob, dueJob, expireJob, importJob } from './job-kinds.ts';
import { expireBackups } from './remove-backups.ts';
import { endImport, runImport } from './run-import.ts';
import { endBackup, writeBackup } from './write-backup.ts';

const MINUTE_MS = 60_000;
const soon = { firstMs: 500, maxMs: 60_000 };
/**
 * Reading a whole database takes the disk and a core. What one organisation's databases hold up, by locks or by their
 * size, holds up no other's.
 */
const backupLimits = { perWorker: 8, perGroup: 2 };
const LONGEST_BACKUP_MS = 12 * 60 * MINUTE_MS;
/** More, since most of the work is the servers' own, and one that waits for locks or for a backup takes a place too. */
const importLimits = { perWorker: 16, perGroup: 2 };

/** What the worker does with the contents of databases. */
export function transferJobs(deps: DatabaseWorkDeps): JobHandler[] {
  return takenByLeader('databases', [
    handleJob(backupJob, (subject, context) => writeBackup(deps, subject, context), {
      limits: backupLimits,
      timeoutMs: LONGEST_BACKUP_MS,
      backoff: soon,
      onEnd: (tx, { backupId }, end) => endBackup(deps, tx, { backupId, end }),
    }),
    handleJob(importJob, (subject, context) => runImport(deps, subject, context), {
      limits: importLimits,
      backoff: soon,
      onEnd: endImport,
    }),
    periodicJob(dueJob, { everyMs: 10 * MINUTE_MS, firstMs: MINUTE_MS }, () => backUpDue(deps)),
    periodicJob(expireJob, { everyMs: 10 * MINUTE_MS, firstMs: MINUTE_MS }, () => expireBackups(deps)),
  ]);
}
