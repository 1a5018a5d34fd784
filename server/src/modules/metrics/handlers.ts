import { metricNames } from '@lilac/contract/states';
import type { Store } from '../../db/pool.ts';
import type { HandlersFor } from '../../http/handler.ts';
import type { Clock } from '../../lib/clock.ts';
import { findDeploymentType } from './metrics-store.ts';
import { presentDetailed, presentSparklines } from './present.ts';
import { readDetailed, readSparklines } from './read-series.ts';

export interface MetricsDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
}

export function metricHandlers({ store: { db }, clock }: MetricsDeps): HandlersFor<'metrics'> {
  return {
    'metrics.detailed': async ({ body: { timeRange, metrics: names = metricNames }, resource }) => {
      const now = clock.now();
      const [detailed, deploymentType] = await Promise.all([
        readDetailed(db, resource, { range: timeRange, names, nowMs: now.getTime() }),
        findDeploymentType(db, resource.application_id),
      ]);
      return presentDetailed(detailed, { environmentId: resource.id, deploymentType, now });
    },
    'metrics.sparkline': async ({ body: { environmentIds }, organisation: { id: organisationId } }) => {
      const nowMs = clock.now().getTime();
      return presentSparklines(await readSparklines(db, { organisationId, environmentIds, nowMs }));
    },
  };
}
