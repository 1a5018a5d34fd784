import { afterEach, expect, it, vi } from 'vitest';
import { browserTabChannel, type TabMessage } from './tab-channel.ts';

afterEach(() => vi.unstubAllGlobals());

it('where a channel is refused a tab is alone, and nothing fails', () => {
  vi.stubGlobal('BroadcastChannel', function refuse() {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  const heard: TabMessage[] = [];
  const channel = browserTabChannel();
  channel.listen((message) => heard.push(message));
  channel.tell('signed-in');
  expect(heard).toEqual([]);
});
