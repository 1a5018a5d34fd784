import { expect, it, onTestFinished } from 'vitest';
import { isStoreUnavailable } from '../http/store-unavailable.ts';
import { listenToChannels } from '../routing/channel-listener.ts';
import { eventually } from '../testing/eventually.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openStore } from './pool.ts';

const PATIENCE_MS = 400;

async function openBehindProxy() {
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

it('a store that is gone without a word: who asks is told so, who listens hears again when it is back', async () => {
  const { direct, proxy, store } = await openBehindProxy();
  const heard: string[] = [];
  let connects = 0;
  const listener = listenToChannels({
    store,
    channels: ['news'],
    askEveryMs: PATIENCE_MS,
    onNotification: (_, payload) => heard.push(payload),
    onConnect: () => connects++,
  });
  onTestFinished(() => listener.close());
  await eventually('it listens', () => connects === 1);

  proxy.setReachable(false);
  proxy.cut();
  const failure = await store.pool.query('select 1').catch((error: unknown) => error);
  expect(isStoreUnavailable(failure)).toBe(true);

  proxy.setReachable(true);
  await eventually('it listens again', () => connects === 2);
  await direct.pool.query(`select pg_notify('news', 'back')`);
  await eventually('it hears', () => heard.includes('back'));
  expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('a statement may take its time, but not on a connection that only one end believes in', async () => {
  const { proxy, store } = await openBehindProxy();
  const slow = await store.pool.query('select pg_sleep(2), 1 as one');
  expect(slow.rows).toMatchObject([{ one: 1 }]);
  proxy.cut();
  await expect(store.pool.query('select 1')).rejects.toThrow('Connection terminated');
  expect((await store.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
