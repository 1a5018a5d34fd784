import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { databaseTypes } from '@lilac/contract/states';
import { availabilityOf } from '../databases/availability.ts';
import type { Engines } from '../databases/databases-deps.ts';

type DatabaseTypes = OutputOf<Endpoints['config.platform']>['databaseTypes'];

/** Which can be made here, of which version, or why not. */
export function describeDatabaseTypes(engines: Engines): Promise<DatabaseTypes> {
  return Promise.all(
    databaseTypes.map(async (id) => {
      const { version, missing } = await availabilityOf(engines[id]);
      return { id, label: engines[id].label, available: version !== null, version, missing };
    }),
  );
}
