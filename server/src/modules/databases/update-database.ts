import { pathsOf } from '../../config.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import { largestStorageGb } from '../../engines/host/largest-storage.ts';
import type { Caller } from '../../http/handler.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { changeOf, serverColumnsOf, type DatabaseChange, type DatabaseUpdate } from './database-change.ts';
import { setProgress, updateDatabase as updateRow } from './database-store.ts';
import type { DatabasesDeps } from './databases-deps.ts';
import { holdDatabase, requireMade } from './hold-database.ts';
import { changeJob, enqueueFor } from './job-kinds.ts';
import { thisMachine } from './tier.ts';

export interface UpdateRequest {
  database: Pick<DatabaseRow, 'id'>;
  update: DatabaseUpdate;
  caller: Caller;
}

/** The row says from now on what is to be; a job makes the servers so. What is the same already leaves no trace. */
export async function updateDatabase(
  { store, engines, config }: Pick<DatabasesDeps, 'store' | 'engines' | 'config'>,
  { database: { id }, update, caller }: UpdateRequest,
): Promise<{ database: DatabaseRow; change: DatabaseChange }> {
  // Nobody's row is held while the disk is asked.
  const largestGb = update.storageGb === undefined ? 0 : await largestStorageGb(pathsOf(config).databases);
  return store.db.transaction().execute(async (tx) => {
    const before = await holdDatabase(tx, id);
    const host = { machine: thisMachine(), largestGb, engine: engines[before.database_type] };
    const change = changeOf(before, update, host);
    const { name, servers } = change;
    const touchesServers = Object.keys(servers).length > 0;
    const settled = touchesServers && (await requireMade(tx, before));
    if (name === null && !settled) return { database: before, change };
    const after = await updateRow(tx, id, { ...servers, ...(name !== null && { name }) });
    const deed = { organisationId: before.organisation_id, databaseId: id, subject: after.name, caller };
    if (name !== null) await recordActivity(tx, { ...deed, action: 'database_renamed' });
    if (!settled) return { database: after, change };
    await recordActivity(tx, { ...deed, action: 'database_updated' });
    await setProgress(tx, id, { status: 'updating', step: 'queued', percent: 0 });
    await enqueueFor(tx, changeJob, before, { before: { ...serverColumnsOf(before), ...settled } });
    return { database: { ...after, status: 'updating' }, change };
  });
}
