import type { DatabaseRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { awaitJob } from '../../jobs/await-job.ts';
import { Fault } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { addressOf } from './address-of.ts';
import { setProgress, updateDatabase } from './database-store.ts';
import { newPassword } from './database.ts';
import type { DatabasesDeps } from './databases-deps.ts';
import { requireSettled, holdDatabase } from './hold-database.ts';
import { enqueueFor, rotateJob } from './job-kinds.ts';
import { sealPassword } from './password.ts';

export interface Rotation {
  database: DatabaseRow;
  /** Left out: one is made. */
  password: string | undefined;
  caller: Caller;
  /** Aborted when nobody waits for the answer any more; the password is changed all the same. */
  signal: AbortSignal;
}

const WAIT_MS = 30_000;

/** Answers with the new address once the old password opens nothing any more. */
export async function rotatePassword(
  deps: Pick<DatabasesDeps, 'store' | 'config' | 'keyring'>,
  { database, password = newPassword(), caller, signal }: Rotation,
): Promise<string> {
  const { store, keyring } = deps;
  const { id } = database;
  const jobId = await store.db.transaction().execute(async (tx) => {
    const before = await holdDatabase(tx, id);
    const settled = requireSettled(before);
    const sealed = sealPassword(keyring, { databaseId: id, column: 'next_password', password });
    await updateDatabase(tx, id, { next_password: sealed });
    await setProgress(tx, id, { status: 'updating', step: 'changing the password', percent: 0 });
    const { organisation_id: organisationId, name: subject } = before;
    const deed = { organisationId, databaseId: id, subject, caller };
    await recordActivity(tx, { ...deed, action: 'database_password_rotated' });
    return enqueueFor(tx, rotateJob, before, { before: settled });
  });
  const end = await awaitJob(store.db, jobId, { withinMs: WAIT_MS, signal });
  if (end === null) throw new Fault('SV002', STILL_AT_IT);
  if (end !== 'done') throw new Fault('SV002', NOT_DONE);
  return addressOf(deps, database, password);
}

const STILL_AT_IT =
  'The password is still being changed. Once the status is healthy again, databases/connection-string has the new one.';
const NOT_DONE =
  'The password could not be changed: the server did not take it. Look at its status, then rotate it again.';
