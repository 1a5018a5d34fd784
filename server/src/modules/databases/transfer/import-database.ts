import type { DatabaseRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import { conflict } from '../../../lib/fault.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { consumeDump } from '../../uploads/consume-upload.ts';
import { findDatabase, setProgress } from '../database-store.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { holdDatabase, requireSettled } from '../hold-database.ts';
import { enqueueFor } from '../job-kinds.ts';
import { insertImport, noteOutcome } from './import-store.ts';
import { importJob } from './job-kinds.ts';

const NO_ROOM =
  'The storage of this database is nearly used up. Give it more, or drop or truncate tables through the explorer, then import.';

export interface ImportRequest {
  database: DatabaseRow;
  uploadId: string;
  caller: Caller;
}

/** Takes the upload and begins: nothing else is done to the database until it has ended. */
export async function importDatabase(
  { store }: Pick<DatabasesDeps, 'store'>,
  { database, uploadId, caller }: ImportRequest,
): Promise<DatabaseRow> {
  return store.db.transaction().execute(async (tx) => {
    const held = await holdDatabase(tx, database.id);
    const before = requireSettled(held);
    if (held.is_full) throw conflict(NO_ROOM);
    const { id: databaseId, organisation_id: organisationId, name: subject } = held;
    const upload = await consumeDump(tx, { uploadId, organisationId });
    await insertImport(tx, { database_id: databaseId, upload_id: uploadId, storage_path: upload.storage_path });
    await setProgress(tx, databaseId, { status: 'updating', step: 'importing', percent: 0, error: null });
    await noteOutcome(tx, databaseId, null);
    await recordActivity(tx, { organisationId, databaseId, subject, action: 'database_import_started', caller });
    await enqueueFor(tx, importJob, held, { before });
    return (await findDatabase(tx, databaseId))!;
  });
}
