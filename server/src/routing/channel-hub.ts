import { listenToChannels, type ChannelListener, type ChannelListenerOptions } from './channel-listener.ts';

type Hearing = Pick<ChannelListenerOptions, 'channels' | 'onNotification'> & { onConnect: () => void };

/** Lets several parts of a process hear notifications on one connection: each connection is memory of the store's. */
export interface ChannelHub {
  /** What was notified before `onConnect` may have been missed, each time. */
  listen(hearing: Hearing): ChannelListener;
}

/** The connection is there while anybody listens. */
export function createChannelHub(
  store: ChannelListenerOptions['store'],
  channels: ChannelListenerOptions['channels'],
): ChannelHub {
  const hearings = new Set<Hearing>();
  let connection: (ChannelListener & { isUp: () => boolean }) | null = null;

  function connect() {
    let isUp = false;
    const listener = listenToChannels({
      store,
      channels,
      onNotification(channel, payload) {
        for (const hearing of hearings)
          if (hearing.channels.includes(channel)) hearing.onNotification(channel, payload);
      },
      onConnect: () => hearings.forEach(({ onConnect }) => onConnect()),
      onClient: (client) => (isUp = client !== null),
    });
    return { ...listener, isUp: () => isUp };
  }

  return {
    listen(hearing) {
      const unknown = hearing.channels.filter((channel) => !channels.includes(channel));
      if (unknown.length > 0) throw new Error(`nobody listens to ${unknown.join(', ')} here`);
      hearings.add(hearing);
      connection ??= connect();
      // Who comes first is told so later than it is given its listener, and so is everybody.
      if (connection.isUp()) queueMicrotask(() => hearings.has(hearing) && hearing.onConnect());
      return {
        async close() {
          hearings.delete(hearing);
          if (hearings.size > 0) return;
          const left = connection;
          connection = null;
          await left?.close();
        },
      };
    },
  };
}
