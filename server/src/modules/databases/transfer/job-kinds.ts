import type { Tx } from '../../../db/pool.ts';
import type { BackupPurpose, DatabaseBackupRow, DatabaseRow } from '../../../db/schema.ts';
import { defineJob } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue-store.ts';
import type { NoPayload } from '../../../jobs/schedule.ts';
import { newId } from '../../../lib/ids.ts';
import { transferLaneOf, type OfDatabase, type Settled } from '../job-kinds.ts';
import { objectKeyOf } from './backup.ts';
import { insertBackup } from './backup-store.ts';

const BACKUP_ATTEMPTS = 4;

export const backupJob = defineJob<{ backupId: string }>('databases.backup', {
  maxAttempts: BACKUP_ATTEMPTS,
  isGrouped: true,
});
export const IMPORT_ATTEMPTS = 20;
/** Workers that die use up attempts, and one that is given up half-way would leave half of it in a MySQL database. */
export const importJob = defineJob<OfDatabase & { before: Settled }>('databases.import', {
  maxAttempts: IMPORT_ATTEMPTS,
  isGrouped: true,
});
export const dueJob = defineJob<NoPayload>('databases.back-up-due', { maxAttempts: 1 });
export const expireJob = defineJob<NoPayload>('databases.expire-backups', { maxAttempts: 1 });

/** The row and the job that writes it, in one transaction. What is read from one database is read one after another. */
export async function orderBackup(
  tx: Tx,
  { id: databaseId, organisation_id: organisationId }: Pick<DatabaseRow, 'id' | 'organisation_id'>,
  purpose: BackupPurpose,
): Promise<DatabaseBackupRow> {
  const id = newId('bak');
  const backup = await insertBackup(tx, {
    id,
    database_id: databaseId,
    organisation_id: organisationId,
    purpose,
    object_key: objectKeyOf(organisationId, id),
  });
  await enqueueBackup(tx, backup);
  return backup;
}

export async function enqueueBackup(
  tx: Tx,
  { id, database_id, organisation_id: group }: Pick<DatabaseBackupRow, 'id' | 'database_id' | 'organisation_id'>,
  delayMs = 0,
): Promise<void> {
  const lane = transferLaneOf(database_id);
  await enqueue(tx, { kind: backupJob, payload: { backupId: id }, key: id, lane, group, delayMs });
}
