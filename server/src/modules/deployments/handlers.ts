import type { Store } from '../../db/pool.ts';
import { clampRange } from '../../db/page.ts';
import type { HandlersFor } from '../../http/handler.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { whatToForget } from './deployment.ts';
import { listDeployments, readHistory } from './deployment-store.ts';
import { readLines } from './log-store.ts';
import { presentBriefly, presentDeployments } from './present.ts';
import { rollBackDeployment } from './roll-back-deployment.ts';

export interface DeploymentsDeps {
  store: Pick<Store, 'db'>;
}

export function deploymentHandlers({ store: { db } }: DeploymentsDeps): HandlersFor<'deployments'> {
  return {
    'deployments.list': async ({ body, resource }) => {
      const [rows, history] = await Promise.all([
        listDeployments(db, resource.id, clampRange(body)),
        readHistory(db, resource.id),
      ]);
      // A job forgets them a moment later; nobody should see the difference.
      const forgotten = new Set(whatToForget(history).deploymentIds);
      const kept = rows.filter(({ id }) => !forgotten.has(id));
      return presentDeployments(kept, history);
    },
    'deployments.get': async ({ resource }) => {
      const [history, deployment_logs] = await Promise.all([
        readHistory(db, resource.environment_id),
        readLines(db, resource.id),
      ]);
      return { ...presentDeployments([resource], history)[0]!, deployment_logs };
    },
    'deployments.rollback': async ({ body: { deploymentId }, resource, caller }) =>
      presentBriefly(await rollBackDeployment(db, { environment: resource, deploymentId, caller })),
    'deployments.cancel': async ({ resource, caller }) => presentBriefly(await cancelDeployment(db, resource, caller)),
  };
}
