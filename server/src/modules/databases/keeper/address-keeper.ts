import type { Db } from '../../../db/pool.ts';
import type { Lead } from '../../../engines/address/stable-address.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import { allDatabases } from '../database-store.ts';
import { allServers } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { pairOf, type Pair } from '../standby/read-pair.ts';
import type { DatabaseKeeperDeps } from './keeper-deps.ts';

/** Lets the address of every database lead to its primary. */
export interface AddressKeeper {
  /** After a failover, at once. */
  point(pair: Pair): Promise<void>;
  /** Points all addresses where the rows say. */
  hold(): Promise<void>;
  /** Whether all of them are as these rows say, as far as was last set. */
  isHeld(pairs: readonly Pair[]): boolean;
}

type AddressDeps = Pick<DatabaseKeeperDeps, 'addresses' | 'store' | 'config'>;

export function createAddressKeeper({ addresses, store, config }: AddressDeps): AddressKeeper {
  // What was read from rows is put in force before anything newer is.
  const turn = createSemaphore(1);
  let held = '';

  function wantedOf(pairs: readonly Pair[]): Map<number, Lead> {
    return new Map(
      pairs.flatMap(({ database, primary }): [number, Lead][] => {
        if (database.port === primary.port || database.status === 'deleting') return [];
        const { networks } = specOf(config, database, primary).access;
        return [[database.port, { target: primary.port, networks }]];
      }),
    );
  }

  return {
    point: (pair) =>
      turn.run(async () => {
        held = '';
        for (const [port, lead] of wantedOf([pair])) await addresses.point(port, lead);
      }),
    hold: () =>
      turn.run(async () => {
        held = '';
        const wanted = wantedOf(await readPairs(store.db));
        await addresses.hold(wanted);
        held = keyOf(wanted);
      }),
    isHeld: (pairs) => held === keyOf(wantedOf(pairs)),
  };
}

const keyOf = (wanted: ReadonlyMap<number, Lead>): string => JSON.stringify([...wanted]);

/** Every database that has a server, in the order of their ids. */
export async function readPairs(db: Db): Promise<Pair[]> {
  // Servers first: a database whose servers were read before it was made is looked at the next time.
  const servers = Map.groupBy(await allServers(db), ({ database_id }) => database_id);
  const databases = await allDatabases(db);
  return databases.flatMap((database) => pairOf(database, servers.get(database.id) ?? []) ?? []);
}
