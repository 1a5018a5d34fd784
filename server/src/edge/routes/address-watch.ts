import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import type { InstanceAddress, Route } from '../../routing/route.ts';
import { tryConnect } from '../instances/try-connect.ts';
import type { RouteTable } from './route-table.ts';

/**
 * An address that an instance gives back rests for at least a minute, on every runtime, before an instance of another
 * environment has it. So whoever looks often enough, and gives up what nobody listened at for some of that minute,
 * never takes another's instance for the one it knew.
 */
export const addressTiming = {
  /** Who has heard nothing of the store for so long looks itself. */
  unheardMs: 10_000,
  lookEveryMs: 5000,
  /** What is merely restarted, or busy, listens again before. */
  givenUpAfterMs: 10_000,
  /** What was last known to be right so long ago may be wrong by now. */
  knownForMs: 40_000,
};

/** So many are tried at a time. */
const AT_A_TIME = 50;

interface AddressWatchOptions {
  table: RouteTable;
  log: Log;
  /** All addresses were looked at; `hasChanged`: some were given up. */
  onLook: (hasChanged: boolean) => void;
  tryConnect?: ((address: InstanceAddress) => Promise<boolean>) | undefined;
  timing?: Partial<typeof addressTiming> | undefined;
}

export interface AddressWatch {
  /** The store has said what is true now. */
  noteHeard(): void;
  stop(): void;
}

/**
 * Keeps an edge that is cut off from the store from sending anybody to an address that is another's by now: one at
 * which nobody listens any more is withdrawn until the store is back. What goes on listening is served on, without end.
 */
export function watchAddresses(options: AddressWatchOptions): AddressWatch {
  const { table, log, onLook, tryConnect: canConnect = tryConnect } = options;
  const timing = { ...addressTiming, ...options.timing };
  const stopping = new AbortController();
  const silentSince = new Map<string, number>();
  let heardAt = performance.now();

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await delay(timing.lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (!stopping.signal.aborted && performance.now() - heardAt > timing.unheardMs) await look();
    }
  }

  async function look(): Promise<void> {
    const begunAt = performance.now();
    const addresses = [...table.routes()].flatMap(instancesOf);
    for (let at = 0; at < addresses.length; at += AT_A_TIME) {
      await Promise.all(addresses.slice(at, at + AT_A_TIME).map(tryOne));
    }
    if (stopping.signal.aborted || heardAt > begunAt) return;
    onLook([...table.routes()].map(giveUpIn).includes(true));
  }

  async function tryOne(address: InstanceAddress): Promise<void> {
    const isListening = await canConnect(address);
    if (isListening) silentSince.delete(address.id);
    else if (!silentSince.has(address.id)) silentSince.set(address.id, performance.now());
  }

  const isOver = ({ id }: InstanceAddress): boolean =>
    performance.now() - (silentSince.get(id) ?? Infinity) >= timing.givenUpAfterMs;

  function giveUpIn(route: Route): boolean {
    const over = instancesOf(route).filter(isOver);
    if (over.length === 0) return false;
    table.set(withoutInstances(route, over));
    const facts = { environmentId: route.environmentId, instances: over.map(({ id }) => id) };
    log.warn(facts, 'Nobody listens there any more: not used again before the store is back');
    return true;
  }

  void follow();
  return {
    noteHeard() {
      heardAt = performance.now();
      silentSince.clear();
    },
    stop: () => stopping.abort(),
  };
}

const instancesOf = ({ target }: Route): readonly InstanceAddress[] =>
  target?.kind === 'instances' ? target.instances : [];

/** As of no version of the store's, so that whatever it says next is new. Left out: all of them. */
export function withoutInstances(route: Route, gone = instancesOf(route)): Route {
  const { target } = route;
  if (target?.kind !== 'instances') return route;
  const instances = target.instances.filter((address) => !gone.includes(address));
  return { ...route, target: { ...target, instances, probe: null }, version: 0 };
}
