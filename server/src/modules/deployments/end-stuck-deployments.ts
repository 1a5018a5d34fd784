import type { Store, Tx } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import type { Fleet } from '../instances/fleet.ts';
import { holdEnvironment, listStuckDeployments, readHistory } from './deployment-store.ts';
import { endDeployment } from './end-deployment.ts';
import { serveLive } from './end-release.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { news, tellEnvironment } from './tell-environment.ts';

export interface EndStuckDeps {
  store: Pick<Store, 'db'>;
  fleet: Pick<Fleet, 'serving'>;
  log: Log;
}

const ERROR = 'The deployment was interrupted and nothing works on it any more. Deploy again.';

/** Should a deployment ever lose the job that moves it, it ends here: nothing stays in a moving state. */
export async function endStuckDeployments({ store, fleet, log }: EndStuckDeps): Promise<void> {
  for (const { id, environment_id } of await listStuckDeployments(store.db)) {
    await store.db.transaction().execute(async (tx) => {
      const held = await holdEnvironment(tx, environment_id);
      const isStuck = held && (await listStuckDeployments(tx)).some((stuck) => stuck.id === id);
      if (!isStuck) return;
      await endDeployment(tx, id, { status: 'failed', error: ERROR });
      await tellEnvironment(tx, { id, environment_id }, news.lost(ERROR));
      await refreshStatuses(tx, environment_id);
      const { environment } = held;
      const mayServe = environment.status !== 'deleting' && !(await isReleasing(tx, environment_id));
      if (mayServe) await serveLive({ tx, environment }, fleet);
      log.warn({ deployment: id }, 'a deployment had no job; it was ended');
    });
  }
}

/** Another release is under way: what it has told edges is its own affair, and what it comes to is told by it. */
async function isReleasing(tx: Tx, environmentId: string): Promise<boolean> {
  const { entries } = await readHistory(tx, environmentId);
  return entries.some(({ status }) => status === 'deploying');
}
