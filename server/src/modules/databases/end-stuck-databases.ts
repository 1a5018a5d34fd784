import type { Store, Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Log } from '../../lib/log.ts';
import { giveUpPasswordChange } from './change-password.ts';
import { listStuckDatabases, lockDatabase, setProgress } from './database-store.ts';
import { deleteJob, enqueueFor } from './job-kinds.ts';

const ERROR = 'The work on it was interrupted and nothing goes on with it.';

/** Should a database ever lose the job that moves it, it ends here: nothing stays in a moving state. */
export async function endStuckDatabases({ store, log }: { store: Pick<Store, 'db'>; log: Log }): Promise<void> {
  for (const { id } of await listStuckDatabases(store.db)) {
    await store.db.transaction().execute(async (tx) => {
      const held = await lockDatabase(tx, id);
      const isStuck = held && (await listStuckDatabases(tx)).some((stuck) => stuck.id === id);
      if (!isStuck) return;
      await end(tx, held);
      log.warn({ database: id, status: held.status }, 'a database had no job; it was ended or begun anew');
    });
  }
}

async function end(tx: Tx, database: DatabaseRow): Promise<void> {
  const { id, status, next_password } = database;
  if (status === 'deleting') await enqueueFor(tx, deleteJob, database, {});
  else if (status === 'provisioning')
    await setProgress(tx, id, { status: 'failed', error: `${ERROR} Provision it again.` });
  else if (next_password !== null) await giveUpPasswordChange(tx, database);
  else await setProgress(tx, id, { status: 'degraded', step: 'settled', percent: 100, error: `${ERROR} Try again.` });
}
