import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../db/pool.ts';
import { ROUTES_CHANNEL } from '../../routing/route-store.ts';
import { Signaller } from './signal-store.ts';

export interface RouteListenerOptions {
  store: Pick<Store, 'newClient'>;
  /** Something changed. */
  onWake: () => void;
  /** Listening begins; what happened before may have been missed. First: it has never been lost nor refused. */
  onConnect: (isFirst: boolean) => void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

export interface RouteListener {
  /** Says something on a channel, now or, when the connection is lost, not at all. */
  signal(channel: string, payload: string): void;
  close(): Promise<void>;
}

/** A connection of its own that hears of changed routes; opened again whenever it is lost. */
export function listenForRoutes({ store, onWake, onConnect }: RouteListenerOptions): RouteListener {
  const closing = new AbortController();
  const signaller = new Signaller();
  let retryMs = FIRST_RETRY_MS;
  let isFirst = true;

  async function listen(): Promise<void> {
    const client = store.newClient();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const end = () => void client.end().catch(() => {});
    closing.signal.addEventListener('abort', end, { once: true });
    try {
      await client.connect();
      client.on('notification', onWake);
      await client.query(`listen ${ROUTES_CHANNEL}`);
      retryMs = FIRST_RETRY_MS;
      signaller.use(client);
      onConnect(isFirst);
      await ended;
    } finally {
      signaller.use(null);
      closing.signal.removeEventListener('abort', end);
      end();
    }
  }

  const loop = (async () => {
    while (!closing.signal.aborted) {
      // That the store is away is told by whoever reads from it.
      await listen().catch(() => {});
      isFirst = false;
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => {});
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
  })();
  return {
    signal: (channel, payload) => signaller.send(channel, payload),
    close: () => {
      closing.abort();
      return loop;
    },
  };
}
