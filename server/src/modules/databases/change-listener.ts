import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { DATABASE_CHANNEL } from './database-store.ts';

export interface ChangeListener {
  /** From now on every change of this database is told, and whatever was missed while the store was away. */
  follow(databaseId: string, onChange: () => void): Disposable;
}

const RECONNECT_MS = 500;

/** Whoever waits for changes of databases shares one connection, which is there only while somebody waits. */
export function createChangeListener({ store, log }: { store: Pick<Store, 'newClient'>; log: Log }): ChangeListener {
  const followers = new Map<string, Set<() => void>>();
  let listening: AbortController | null = null;
  const tell = (databaseId: string) => followers.get(databaseId)?.forEach((onChange) => onChange());
  const tellAll = () => [...followers.keys()].forEach(tell);
  return {
    follow(databaseId, onChange) {
      const own = () => onChange();
      followers.set(databaseId, (followers.get(databaseId) ?? new Set()).add(own));
      if (!listening) {
        listening = new AbortController();
        void listen({ store, log, onNotification: tell, onListening: tellAll }, listening.signal);
      }
      return {
        [Symbol.dispose]() {
          const others = followers.get(databaseId);
          others?.delete(own);
          if (others?.size === 0) followers.delete(databaseId);
          if (followers.size > 0) return;
          listening?.abort();
          listening = null;
        },
      };
    },
  };
}

interface Listening {
  store: Pick<Store, 'newClient'>;
  log: Log;
  onNotification: (payload: string) => void;
  /** What was told before nobody has heard. */
  onListening: () => void;
}

/** Listens until it is aborted, on another connection whenever one is lost. */
async function listen({ store, log, onNotification, onListening }: Listening, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = store.newClient();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const leave = () => void client.end().catch(() => {});
    signal.addEventListener('abort', leave, { once: true });
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await client.connect();
      await client.query(`listen ${DATABASE_CHANNEL}`);
      onListening();
      await ended;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Changes of databases are not heard of: the store does not answer');
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
  }
}
