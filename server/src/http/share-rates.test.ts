import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../db/pool.ts';
import { createSharedRateLimit, RATE_WINDOW_SECONDS } from '../lib/rate-limit.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createTestStore } from '../testing/test-store.ts';
import { createRateSharing } from './share-rates.ts';

/** An api, as far as it counts. */
function openApi(db: Parameters<typeof createRateSharing>[0]['db'], limit = 100) {
  const clock = createFakeClock();
  const shared = createSharedRateLimit({ limit, clock });
  const sharing = createRateSharing({ db });
  sharing.share(shared);
  onTestFinished(() => sharing.close());
  const call = (times: number, address = '192.0.2.1') => {
    let state = shared.count(address, 0);
    for (let at = 0; at < times; at++) state = shared.count(address);
    return state;
  };
  return { call, flush: () => sharing.flush(), clock };
}

describe('the rate limit of several apis', () => {
  it('is one: what a client makes at each counts at all, and each client for itself', async () => {
    await using store = await createTestStore();
    const [one, two] = [openApi(store.db), openApi(store.db)];
    one.call(60);
    expect(two.call(60)).toMatchObject({ isOver: false, remaining: 40 });
    two.call(3, '192.0.2.2');
    await Promise.all([one.flush(), two.flush()]);
    // Whoever told first learns the rest with what it tells next.
    expect([one.call(1), two.call(1)].some(({ isOver }) => isOver)).toBe(true);
    await one.flush();
    await two.flush();
    await one.flush();
    expect(one.call(1)).toMatchObject({ isOver: true, remaining: 0 });
    expect(two.call(1)).toMatchObject({ isOver: true, remaining: 0 });
    expect(two.call(1, '192.0.2.2')).toMatchObject({ isOver: false, remaining: 96 });
  });

  it('loses no request that was counted while it was told', async () => {
    await using store = await createTestStore();
    const [one, two] = [openApi(store.db), openApi(store.db)];
    one.call(10);
    const telling = one.flush();
    one.call(5);
    await telling;
    expect(one.call(0).remaining).toBe(85);
    await one.flush();
    two.call(1);
    await two.flush();
    expect(two.call(0).remaining).toBe(84);
  });

  it('begins anew for all when the window of the first is over', async () => {
    await using store = await createTestStore();
    const [one, two] = [openApi(store.db), openApi(store.db)];
    one.call(100);
    await one.flush();
    await store.pool.query(`update rate_windows set ends_at = now() - interval '1 second'`);
    one.clock.advance(RATE_WINDOW_SECONDS * 1000);
    expect(one.call(1)).toMatchObject({ isOver: false, remaining: 99 });
    await one.flush();
    two.call(1);
    await two.flush();
    expect(two.call(0)).toMatchObject({ isOver: false, remaining: 98 });
  });

  it('is counted alone while the store is away, and told when it is back', async () => {
    await using store = await createTestStore();
    const away = openStore(
      { kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/lilac' },
      { max: 1, applicationName: 'x' },
    );
    onTestFinished(() => away.close());
    const clock = createFakeClock();
    const shared = createSharedRateLimit({ limit: 100, clock });
    const lost = createRateSharing({ db: away.db });
    lost.share(shared);
    onTestFinished(() => lost.close());
    for (let at = 0; at < 99; at++) shared.count('192.0.2.1');
    await lost.flush();
    expect(shared.count('192.0.2.1')).toMatchObject({ isOver: false, remaining: 0 });
    expect(shared.count('192.0.2.1').isOver).toBe(true);
    const back = createRateSharing({ db: store.db });
    back.share(shared);
    onTestFinished(() => back.close());
    await back.flush();
    const other = openApi(store.db);
    other.call(1);
    await other.flush();
    expect(other.call(0).isOver).toBe(true);
  });
});
