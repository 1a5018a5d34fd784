export type TabMessage = 'signed-in' | 'signed-out';

/** How the tabs of one browser tell each other. */
export interface TabChannel {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

/** Some browsers refuse a channel where a site's data is blocked: there no tab hears of another. */
export function browserTabChannel(): TabChannel {
  const channel = openChannel();
  if (!channel) return { tell() {}, listen() {} };
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    tell: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener('message', (event: MessageEvent<TabMessage>) => listener(event.data)),
  };
}

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('lilac.session');
  } catch {
    return null;
  }
}
