import type { Db } from '../../../db/pool.ts';
import { systemClock } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import { followLogs, type Follow } from '../follow-logs.ts';
import { LogHub } from '../log-hub.ts';
import type { LogStreamItem } from '../hub-chunk.ts';

export interface Follower {
  /** The messages that came, in their order. */
  messages: string[];
  /** The id of whatever came last. */
  lastId: string | null;
  stop(): Promise<void>;
}

/** Follows logs as the api does, without a connection. */
export function openHub(db: Db) {
  const logHub = new LogHub({ store: { db }, log: silentLog });
  const deps = { store: { db }, clock: systemClock, logHub };
  const followItems = (environmentId: string, options: Partial<Follow> & Pick<Follow, 'signal'>) =>
    followLogs(deps, { environmentId, organisationId: 'org', filter: {}, lines: 0, lastEventId: null, ...options });

  /** Reads on until it is stopped. Resolves once it says where it begins. */
  async function follow(environmentId: string, options: Partial<Follow> = {}): Promise<Follower> {
    const stopping = new AbortController();
    const batches = followItems(environmentId, { signal: stopping.signal, ...options });
    const follower: Follower = { messages: [], lastId: null, stop };
    const take = (items: readonly LogStreamItem[]) => {
      for (const item of items) {
        follower.lastId = item.id;
        if (item.event) follower.messages.push(item.data.message);
      }
    };
    take((await batches.next()).value as LogStreamItem[]);
    const reading = (async () => {
      for await (const items of batches) take(items);
    })();
    async function stop(): Promise<void> {
      stopping.abort();
      await reading;
    }
    return follower;
  }

  return { logHub, follow, followItems };
}
