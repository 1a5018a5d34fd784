import type { Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { finishDeployment, holdEnvironment, listStuckDeployments } from './deployment-store.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { news, tellEnvironment } from './tell-environment.ts';

const ERROR = 'The deployment was interrupted and nothing works on it any more. Deploy again.';

/** Should a deployment ever lose the job that moves it, it ends here: nothing stays in a moving state. */
export async function endStuckDeployments({ store, log }: { store: Pick<Store, 'db'>; log: Log }): Promise<void> {
  for (const { id, environment_id } of await listStuckDeployments(store.db)) {
    await store.db.transaction().execute(async (tx) => {
      await holdEnvironment(tx, environment_id);
      const isStuck = (await listStuckDeployments(tx)).some((stuck) => stuck.id === id);
      if (!isStuck) return;
      await finishDeployment(tx, id, { status: 'failed', error: ERROR });
      await tellEnvironment(tx, { id, environment_id }, news.lost(ERROR));
      await refreshStatuses(tx, environment_id);
      log.warn({ deployment: id }, 'a deployment had no job; it was ended');
    });
  }
}
