import type { Db, Store } from '../../db/pool.ts';
import { listenToChannels, type ChannelListener } from '../../routing/channel-listener.ts';
import { ROUTES_CHANNEL } from '../../routing/route-store.ts';
import { Signaller } from './signal-store.ts';

/** A part of the edge that follows something in the store. */
export interface Follower {
  /** A constant of ours, never input. */
  channel: string;
  /** Something changed. */
  onWake: () => void;
  /** Listening begins; what happened before may have been missed. First: it has never been lost nor refused. */
  onConnect: (isFirst: boolean) => void;
  /** For short queries by the same connection; null: it is gone. Each connection is memory of the store's. */
  use(db: Db | null): void;
}

export interface RouteListenerOptions extends Omit<Follower, 'channel'> {
  store: Pick<Store, 'newClient' | 'dbOn'>;
  /** Who hears of something else by the same connection. */
  followers: readonly Follower[];
}

export interface RouteListener extends ChannelListener {
  /** Says something on a channel, now or, when the connection is lost, not at all. */
  signal(channel: string, payload: string): void;
}

/** A connection of its own that hears of changed routes, and says what the edge asks for. */
export function listenForRoutes({ store, followers, ...routes }: RouteListenerOptions): RouteListener {
  const signaller = new Signaller();
  const all = [{ channel: ROUTES_CHANNEL, ...routes }, ...followers];
  const listener = listenToChannels({
    store,
    channels: all.map(({ channel }) => channel),
    onNotification: (channel) => all.find((follower) => follower.channel === channel)?.onWake(),
    onConnect: (isFirst) => {
      for (const follower of all) follower.onConnect(isFirst);
    },
    onClient: (client) => {
      signaller.use(client);
      const db = client && store.dbOn(client);
      for (const follower of all) follower.use(db);
    },
  });
  return { close: () => listener.close(), signal: (channel, payload) => signaller.send(channel, payload) };
}
