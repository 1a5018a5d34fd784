import { setTimeout as delay } from 'node:timers/promises';
import { askNowAndThen } from '../db/ask-now-and-then.ts';
import type { Store } from '../db/pool.ts';

export interface ChannelListenerOptions {
  store: Pick<Store, 'newClient'>;
  /** Constants of ours, never input. */
  channels: readonly string[];
  onNotification: (channel: string, payload: string) => void;
  /** Listening begins; what happened before may have been missed. First: it has never been lost nor refused. */
  onConnect: (isFirst: boolean) => void;
  /** The connection that is listened on, for whoever has something to say on it; null: there is none at the moment. */
  onClient?: (client: Client | null) => void;
  /** How often it is asked whether the store is still there. */
  askEveryMs?: number;
}

export type Client = ReturnType<Store['newClient']>;

export interface ChannelListener {
  close(): Promise<void>;
}

/** An operator sees in pg_stat_activity which connections listen, whatever else was said on them since. */
const SAY_THAT_IT_LISTENS = `select set_config('application_name', current_setting('application_name') || ', listening', false)`;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2000;

/** A connection of its own that hears notifications; opened again whenever it is lost. */
export function listenToChannels(options: ChannelListenerOptions): ChannelListener {
  const { store, channels, onNotification, onConnect, onClient } = options;
  const closing = new AbortController();
  let retryMs = FIRST_RETRY_MS;
  let isFirst = true;

  async function listen(): Promise<void> {
    const client = store.newClient();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const end = () => void client.end().catch(() => {});
    closing.signal.addEventListener('abort', end, { once: true });
    let stopAsking: (() => void) | undefined;
    try {
      // One that is ended while it connects never says whether it did.
      await Promise.race([client.connect(), ended]);
      if (closing.signal.aborted) return;
      client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
      await client.query([...channels.map((channel) => `listen ${channel}`), SAY_THAT_IT_LISTENS].join('; '));
      retryMs = FIRST_RETRY_MS;
      stopAsking = askNowAndThen(client, options.askEveryMs);
      onClient?.(client);
      onConnect(isFirst);
      await ended;
    } finally {
      stopAsking?.();
      onClient?.(null);
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
    close: () => {
      closing.abort();
      return loop;
    },
  };
}
