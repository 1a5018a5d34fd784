import { insertServer, promoteServer, removeServer } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { engineOf, holdStep } from '../standby/in-step.ts';
import { readPair, type Pair } from '../standby/read-pair.ts';
import { setInStep } from '../standby/standby-store.ts';
import type { AddressKeeper } from './address-keeper.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { tellEvent } from '../tell-event.ts';

/**
 * The standby takes the primary's place. Killed at any point, it is begun again by whoever comes next: until the rows
 * are swapped nobody was led to the new primary, and afterwards only the address is left to be set. Returns null
 * where the standby is not certain to have everything; then nothing was done. The caller holds the database.
 */
export async function failOver(
  world: KeeperWorld,
  addresses: Pick<AddressKeeper, 'point'>,
  databaseId: string,
): Promise<Pair | null> {
  const { store, config } = world;
  return holdStep(world, databaseId, async () => {
    const before = await readPair(store.db, databaseId);
    if (!before?.standby?.is_made || !before.standby.in_step) return null;
    const { database, primary, standby } = before;
    const engine = engineOf(world, database);
    // Whatever is left of it can write nothing from here on.
    await engine.kill(primary.id);
    // An engine that can tell without the primary knows better than the row: a standby that was restarted since may
    // have lost what it had received.
    const isCertain = await engine.isInStep(specOf(config, database, primary), standby.id).catch(() => true);
    if (!isCertain) {
      await setInStep(store.db, databaseId, false);
      return null;
    }
    await engine.promote(specOf(config, database, standby));
    await store.db.transaction().execute(async (tx) => {
      await removeServer(tx, primary.id);
      await promoteServer(tx, standby.id);
      // Its files are destroyed by whoever makes the next standby: the row remembers that they are there.
      await insertServer(tx, { id: primary.id, database_id: databaseId, role: 'standby', port: primary.port });
      await tellEvent(tx, database, 'database_failed_over');
    });
    const after = await readPair(store.db, databaseId);
    if (after) await addresses.point(after);
    return after;
  });
}
