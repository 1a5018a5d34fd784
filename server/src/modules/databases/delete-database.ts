import type { Db } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { cancelLane } from '../../jobs/queue-store.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockDatabase, setProgress } from './database-store.ts';
import { deleteJob, enqueueFor, laneOf, transferLaneOf } from './job-kinds.ts';
import { listConnected, removeLinksTo, type ConnectedEnvironment } from './links/link-store.ts';

export interface Deletion {
  database: Pick<DatabaseRow, 'id'>;
  /** Environments that are connected to it lose it. */
  isForced: boolean;
  caller: Caller;
}

/**
 * Shown as `deleting` until its files are gone, and refuses everything from now on. Asked for again, it changes
 * nothing.
 */
export async function deleteDatabase(
  db: Db,
  { database: { id }, isForced, caller }: Deletion,
): Promise<ConnectedEnvironment[]> {
  return db.transaction().execute(async (tx) => {
    const database = await lockDatabase(tx, id);
    if (!database) throw notFound('Database');
    if (database.status === 'deleting') return [];
    const connected = await listConnected(tx, id);
    if (connected.length > 0 && !isForced) throw conflict(refusal(connected));
    await setProgress(tx, id, { status: 'deleting', step: 'removing', percent: 0, error: null });
    for (const lane of [laneOf(id), transferLaneOf(id)]) await cancelLane(tx, lane);
    await enqueueFor(tx, deleteJob, database, {});
    const { organisation_id: organisationId, name: subject } = database;
    const deed = { organisationId, databaseId: id, subject, caller };
    for (const { applicationId, environmentId } of connected) {
      await recordActivity(tx, { ...deed, applicationId, environmentId, action: 'database_disconnected' });
    }
    await removeLinksTo(tx, id);
    await recordActivity(tx, { ...deed, action: 'database_deleted' });
    return connected;
  });
}

const MOST_NAMED = 5;

/** `Shop production (DATABASE_URL), Blog production (DATABASE_URL) and 3 more`. */
export function namesOf(connected: readonly ConnectedEnvironment[]): string {
  const named = connected
    .slice(0, MOST_NAMED)
    .map(({ application, environment, variable }) => `${application} ${environment} (${variable})`)
    .join(', ');
  return connected.length > MOST_NAMED ? `${named} and ${connected.length - MOST_NAMED} more` : named;
}

const refusal = (connected: readonly ConnectedEnvironment[]): string =>
  `Environments are connected to this database: ${namesOf(connected)}. Disconnect it from them first ` +
  '(databases/disconnect), or delete it with force: true.';
