import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import type { DatabaseJobsDeps } from './database-jobs-deps.ts';
import { advance, findDatabase, lockDatabase, updateDatabase } from './database-store.ts';
import { enqueueRenewLinked, type OfDatabase, type Settled } from './job-kinds.ts';
import { openNextPassword, sealPassword } from './password.ts';
import { serversOf } from './server-store.ts';
import { specOf } from './spec-of.ts';
import { tellEvent } from './tell-event.ts';

type Payload = OfDatabase & { before: Settled };

/**
 * The servers first, then the row: killed in between, the next attempt sets the same password again. Who asks for the
 * address meanwhile is given the old one.
 */
export function changePassword(
  { store: { db }, config, keyring, engines, locks }: DatabaseJobsDeps,
  { databaseId, before }: Payload,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  return locks.hold(databaseId, async () => {
    const database = await findDatabase(db, databaseId);
    const password = database && openNextPassword(keyring, database);
    if (database?.status !== 'updating' || password === null) return;
    const [primary] = await serversOf(db, databaseId);
    const owner = { user: database.admin_user, password };
    await engines[database.database_type].setPassword(specOf(config, database, primary!), owner);
    signal.throwIfAborted();
    await db.transaction().execute(async (tx) => {
      const held = await lockDatabase(tx, databaseId);
      if (held?.status !== 'updating') return;
      const sealed = sealPassword(keyring, { databaseId, column: 'admin_password', password });
      await updateDatabase(tx, databaseId, { admin_password: sealed, next_password: null });
      await advance(tx, databaseId, 'updating', { ...stateAfter(before), step: 'settled', percent: 100 });
      await enqueueRenewLinked(tx, database);
    });
  });
}

/** Why something failed before is said no longer on one that is well; what is wrong with one that is not, still is. */
function stateAfter(before: Settled): Settled {
  const isWell = before.status === 'healthy' || before.error === UNCERTAIN;
  return isWell ? { status: 'healthy', error: null } : before;
}

/** However its job ended, the database does not stay in a moving state. */
export async function endPasswordChange(tx: Tx, { databaseId }: OfDatabase, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const database = await lockDatabase(tx, databaseId);
  if (database?.status === 'updating') await giveUpPasswordChange(tx, database);
}

export async function giveUpPasswordChange(tx: Tx, database: DatabaseRow): Promise<void> {
  const { id } = database;
  await updateDatabase(tx, id, { next_password: null });
  await advance(tx, id, 'updating', { status: 'degraded', error: UNCERTAIN, step: 'settled', percent: 100 });
  await tellEvent(tx, database, 'database_change_failed');
}

const UNCERTAIN =
  'The password could not be changed, and whether the old one still works is not certain. Rotate it again.';
