import { describe, expect, it, type TestContext } from 'vitest';
import { isStoreUnavailable } from './store-unavailable.ts';
import { listenToChannels } from '../routing/channel-listener.ts';
import { eventually } from '../testing/eventually.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openStore } from './pool.ts';

/** A busy machine must answer within half of it; and nobody is told sooner than after it that the store is gone. */
const PATIENCE_MS = 2000;

async function openBehindProxy({ onTestFinished }: TestContext) {
  const direct = await createTestStore();
  const proxy = await startSilentProxy(direct.url);
  const store = openStore({ kind: 'url', url: proxy.url }, { max: 2, applicationName: 'far', patienceMs: PATIENCE_MS });
  onTestFinished(async () => {
    await store.close();
    await proxy[Symbol.asyncDispose]();
    await direct[Symbol.asyncDispose]();
  });
  return { direct, proxy, store };
}

// Most of the time they wait: for the patience to be over.
describe.concurrent('a store that is gone without a word', () => {
  it('is told so to who asks, and who listens hears again when it is back', async (context) => {
    const { direct, proxy, store } = await openBehindProxy(context);
    const heard: string[] = [];
    let connects = 0;
    const listener = listenToChannels({
      store,
      channels: ['news'],
      askEveryMs: PATIENCE_MS / 4,
      onNotification: (_, payload) => heard.push(payload),
      onConnect: () => connects++,
    });
    context.onTestFinished(() => listener.close());
    await eventually('it listens', () => connects > 0);

    proxy.setReachable(false);
    proxy.cut();
    const failure = await store.pool.query('select 1').catch((error: unknown) => error);
    expect(isStoreUnavailable(failure)).toBe(true);

    const connectsBefore = connects;
    proxy.setReachable(true);
    await eventually('it listens again', () => connects > connectsBefore);
    await eventually('it hears', async () => {
      await direct.pool.query(`select pg_notify('news', 'back')`);
      return heard.includes('back');
    });
    expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('is not one that takes its time for a statement, but one of which only one end has a connection', async (context) => {
    const { proxy, store } = await openBehindProxy(context);
    const slow = await store.pool.query(`select pg_sleep(${(1.5 * PATIENCE_MS) / 1000}), 1 as one`);
    expect(slow.rows).toMatchObject([{ one: 1 }]);
    proxy.cut();
    await expect(store.pool.query('select 1')).rejects.toThrow('Connection terminated');
    expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
