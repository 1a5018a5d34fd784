import type { Store } from '../db/pool.ts';
import { outerAddresses } from '../lib/address-for-others.ts';
import type { Log } from '../lib/log.ts';
import { noteMachine } from './machine-store.ts';

export interface MachineTellerDeps {
  store: Pick<Store, 'db'>;
  /** Which process of which host: two of one host may see different networks. */
  name: string;
  log: Log;
  addresses?: () => readonly string[];
  /** How often it is looked whether it has others. */
  lookMs?: number;
}

const LOOK_MS = 5000;
/** Who has said nothing for very long is forgotten. */
const SAY_AGAIN_MS = 3_600_000;

/**
 * Writes down which addresses this machine has, at once and whenever it has others: nobody else could know all of them.
 * They stay when this process ends, since what else runs here does not. Returns what ends it.
 */
export function tellMachine(deps: MachineTellerDeps): () => void {
  const { store, name, log, addresses: look = outerAddresses, lookMs = LOOK_MS } = deps;
  let told = '';
  let toldAt = -Infinity;
  let isTelling = false;
  const tell = async () => {
    const addresses = look();
    const text = addresses.join(' ');
    if (isTelling || (text === told && performance.now() - toldAt < SAY_AGAIN_MS)) return;
    isTelling = true;
    try {
      await noteMachine(store.db, { name, addresses });
      [told, toldAt] = [text, performance.now()];
    } catch (error) {
      // A store that is away is told of by whoever needs it.
      log.debug({ err: error }, 'which addresses this machine has was not written');
    }
    isTelling = false;
  };
  const timer = setInterval(() => void tell(), lookMs).unref();
  void tell();
  return () => clearInterval(timer);
}
