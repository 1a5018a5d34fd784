import type { Tx } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { stopDeployments } from '../deployments/stop-deployments.ts';
import { assignDomain } from '../domains/assign-domain.ts';
import { updateEnvironment } from './environment-store.ts';
import { tearDownJobOf } from './tear-down-job.ts';

/**
 * From here on it can only be torn down. Its addresses are given up at once, so that whoever deletes and
 * creates anew gets the same ones: an id stands in the subdomain's place, which no address can be. Its route is the
 * caller's to withdraw, last.
 */
export async function retireEnvironment(tx: Tx, environment: EnvironmentRow): Promise<void> {
  const { id } = environment;
  await assignDomain(tx, { environment, name: null });
  await updateEnvironment(tx, id, { status: 'deleting', subdomain: id });
  await stopDeployments(tx, id);
  await enqueue(tx, tearDownJobOf(id));
}

export const withdrawn = ({ id }: EnvironmentRow) =>
  ({ environmentId: id, subdomain: null, target: null, domain: null }) as const;
