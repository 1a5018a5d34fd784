export type TabMessage = 'signed-in' | 'signed-out';

/** How the tabs of one browser tell each other. */
export interface TabChannel {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

export function browserTabChannel(): TabChannel {
  const channel = new BroadcastChannel('lilac.session');
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    tell: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener('message', (event: MessageEvent<TabMessage>) => listener(event.data)),
  };
}
