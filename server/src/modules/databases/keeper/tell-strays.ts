import { allServers } from '../server-store.ts';
import type { KeeperWorld } from './keeper-deps.ts';

/**
 * Servers on this machine that no row knows. Every server has a row before it has files, and loses it after them: so
 * what is found here belongs to rows that somebody has taken back, as an older backup of the store does. They are
 * somebody's data, and are told of, not destroyed.
 */
export function createStrayTeller(world: KeeperWorld): () => Promise<void> {
  const told = new Set<string>();
  return async () => {
    const found = (await Promise.all(Object.values(world.engines).map((engine) => engine.list()))).flat();
    // Read afterwards: one that is made right now has its row.
    const known = new Set((await allServers(world.store.db)).map(({ id }) => id));
    for (const id of found.filter((each) => !known.has(each) && !told.has(each))) {
      told.add(id);
      world.log.error(
        { server: id },
        'a server of a database is on this machine that the store does not know; it is left alone. ' +
          'If the store was restored from an older backup, its data may be wanted',
      );
    }
  };
}
