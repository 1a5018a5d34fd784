import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { askNowAndThen } from './ask-now-and-then.ts';
import type { Store } from './pool.ts';

export interface ChangeListener {
  /** From now on every change of this one is told, and whatever was missed while the store was away. */
  follow(id: string, onChange: () => void): Disposable;
}

const RECONNECT_MS = 500;

export interface ChangeListenerDeps {
  store: Pick<Store, 'newClient'>;
  log: Log;
}

/**
 * Tells of what is notified on a channel, each time with the id of what has changed. Whoever waits shares one
 * connection, which is there only while somebody waits. The channel is a constant of ours, never input.
 */
export function createChangeListener({ store, log }: ChangeListenerDeps, channel: string): ChangeListener {
  const followers = new Map<string, Set<() => void>>();
  let listening: AbortController | null = null;
  const tell = (id: string) => followers.get(id)?.forEach((onChange) => onChange());
  const tellAll = () => [...followers.keys()].forEach(tell);
  return {
    follow(id, onChange) {
      const own = () => onChange();
      followers.set(id, (followers.get(id) ?? new Set()).add(own));
      if (!listening) {
        listening = new AbortController();
        void listen({ store, log, channel, onNotification: tell, onListening: tellAll }, listening.signal);
      }
      return {
        [Symbol.dispose]() {
          const others = followers.get(id);
          others?.delete(own);
          if (others?.size === 0) followers.delete(id);
          if (followers.size > 0) return;
          listening?.abort();
          listening = null;
        },
      };
    },
  };
}

interface Listening extends ChangeListenerDeps {
  channel: string;
  onNotification: (payload: string) => void;
  /** What was told before nobody has heard. */
  onListening: () => void;
}

/** Listens until it is aborted, on another connection whenever one is lost. */
async function listen(listening: Listening, signal: AbortSignal): Promise<void> {
  const { store, log, channel, onNotification, onListening } = listening;
  while (!signal.aborted) {
    const client = store.newClient();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const leave = () => void client.end().catch(() => {});
    signal.addEventListener('abort', leave, { once: true });
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    let stopAsking: (() => void) | undefined;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      stopAsking = askNowAndThen(client);
      onListening();
      await ended;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, channel }, 'Changes are not heard of: the store does not answer');
    } finally {
      stopAsking?.();
      signal.removeEventListener('abort', leave);
      leave();
    }
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
  }
}
