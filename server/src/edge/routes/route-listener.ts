import type { Store } from '../../db/pool.ts';
import { listenToChannels, type ChannelListener } from '../../routing/channel-listener.ts';
import { ROUTES_CHANNEL } from '../../routing/route-store.ts';
import { Signaller } from './signal-store.ts';

export interface RouteListenerOptions {
  store: Pick<Store, 'newClient'>;
  /** Something changed. */
  onWake: () => void;
  /** Listening begins; what happened before may have been missed. First: it has never been lost nor refused. */
  onConnect: (isFirst: boolean) => void;
}

export interface RouteListener extends ChannelListener {
  /** Says something on a channel, now or, when the connection is lost, not at all. */
  signal(channel: string, payload: string): void;
}

/** A connection of its own that hears of changed routes, and says what the edge asks for. */
export function listenForRoutes({ store, onWake, onConnect }: RouteListenerOptions): RouteListener {
  const signaller = new Signaller();
  const listener = listenToChannels({
    store,
    channels: [ROUTES_CHANNEL],
    onNotification: onWake,
    onConnect,
    onClient: (client) => signaller.use(client),
  });
  return { close: () => listener.close(), signal: (channel, payload) => signaller.send(channel, payload) };
}
