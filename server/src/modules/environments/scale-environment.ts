import type { EnvironmentRow } from '../../db/schema.ts';
import { invalid } from '../../lib/fault.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { updateEnvironment, type UpdateRequest } from './update-environment.ts';

export interface ScaleRequest extends Omit<UpdateRequest, 'update'> {
  bounds: { minInstances?: number; maxInstances?: number };
}

/** A bound that is not given stays. Whoever keeps the instances hears of it with the commit; nothing is built. */
export async function scaleEnvironment(
  deps: EnvironmentsDeps,
  { bounds: { minInstances, maxInstances }, ...request }: ScaleRequest,
): Promise<EnvironmentRow> {
  if (minInstances === undefined && maxInstances === undefined) {
    throw invalid('Give minInstances, maxInstances or both.');
  }
  return updateEnvironment(deps, {
    ...request,
    update: { environmentId: request.environment.id, minInstances, maxInstances },
  });
}
