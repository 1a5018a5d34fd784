import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { listenToChannels } from './channel-listener.ts';

const ignore = () => {};

it('closes at whichever moment it is asked to, also while it connects', { timeout: 30_000 }, async () => {
  await using store = await createTestStore();
  let closed = 0;
  for (let waitMs = 0; waitMs < 20; waitMs++) {
    const listener = listenToChannels({ store, channels: ['a'], onNotification: ignore, onConnect: ignore });
    if (waitMs > 0) await delay(waitMs - 1);
    await listener.close();
    closed++;
  }
  expect(closed).toBe(20);
});
