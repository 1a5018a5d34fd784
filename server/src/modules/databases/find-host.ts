import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { readInstanceNetwork } from '../../runtime/instance-network-file.ts';
import { readHostAddress } from './host-address-store.ts';

/**
 * Where instances find the databases, whichever host this is; before the first keeper of databases only this one's
 * network is known.
 */
export const findHost = async (db: Db | Tx, config: Pick<Config, 'home'>): Promise<string> =>
  (await readHostAddress(db)) ?? readInstanceNetwork(config).hostAddress;
