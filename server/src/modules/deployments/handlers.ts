import { createChangeListener } from '../../db/change-listener.ts';
import type { Store } from '../../db/pool.ts';
import { clampRange } from '../../db/page.ts';
import type { HandlersFor } from '../../http/handler.ts';
import type { Log } from '../../lib/log.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { whatToForget } from './deployment.ts';
import { DEPLOYMENT_CHANNEL, readDeployments, readHistory } from './deployment-store.ts';
import { followDeployment } from './follow-deployment.ts';
import { readLines } from './log-store.ts';
import { presentBriefly, presentDeployments } from './present.ts';
import { rollBackDeployment } from './roll-back-deployment.ts';

export interface DeploymentsDeps {
  store: Pick<Store, 'db' | 'newClient'>;
  log: Log;
}

export function deploymentHandlers(deps: DeploymentsDeps): HandlersFor<'deployments'> {
  const { db } = deps.store;
  const changes = createChangeListener(deps, DEPLOYMENT_CHANNEL);
  return {
    'deployments.list': async ({ body, resource }) => {
      const history = await readHistory(db, resource.id);
      // A job forgets them a moment later; nobody should see the difference, nor find them missing from a page.
      const forgotten = new Set(whatToForget(history).deploymentIds);
      const kept = history.entries.map(({ id }) => id).filter((id) => !forgotten.has(id));
      const { limit, offset } = clampRange(body);
      return presentDeployments(await readDeployments(db, kept.slice(offset, offset + limit)), history);
    },
    'deployments.get': async ({ resource }) => {
      const [history, deployment_logs] = await Promise.all([
        readHistory(db, resource.environment_id),
        readLines(db, resource.id),
      ]);
      return { ...presentDeployments([resource], history)[0]!, deployment_logs };
    },
    'deployments.stream': ({ query: { from }, resource, lastEventId, signal }) =>
      followDeployment({ db, changes }, { deployment: resource, from: clampFrom(from), lastEventId, signal }),
    'deployments.rollback': async ({ body: { deploymentId }, resource, caller }) =>
      presentBriefly(await rollBackDeployment(db, { environment: resource, deploymentId, caller })),
    'deployments.cancel': async ({ resource, caller }) => presentBriefly(await cancelDeployment(db, resource, caller)),
  };
}

const MAX_LINE = 1_000_000_000;

function clampFrom(from: number): number {
  return Math.trunc(Math.min(Math.max(from, -MAX_LINE), MAX_LINE));
}
