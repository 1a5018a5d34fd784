import type { Store } from '../../../db/pool.ts';
import type { Fleet } from '../../instances/fleet.ts';
import { listUsers } from './link-store.ts';

export interface RenewDeps {
  store: Pick<Store, 'db'>;
  fleet: Pick<Fleet, 'renew'>;
}

/**
 * Applications that the database is connected to get instances that know its address of now. All at once: with the
 * old password theirs can do little meanwhile. Resolves when nobody is left who knows it only as it was; may be
 * repeated after a kill.
 */
export async function renewLinked({ store, fleet }: RenewDeps, databaseId: string, signal: AbortSignal): Promise<void> {
  const environmentIds = await listUsers(store.db, databaseId);
  const ends = await Promise.allSettled(environmentIds.map((id) => fleet.renew(id, signal)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
