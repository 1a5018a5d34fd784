import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { BETWEEN_WRITES_MS, createLastUsed, FLUSH_AFTER_MS } from './last-used.ts';

afterEach(() => vi.useRealTimers());

describe('createLastUsed', () => {
  it('writes a first use down by itself', async () => {
    await using store = await createTestStore();
    const { lastUsed, clock } = await start(store, ['key_a']);
    lastUsed.touch('key_a');
    await vi.waitFor(async () => expect(await usesIn(store)).toEqual({ key_a: clock.now() }));
  });

  it('writes thousands of uses of one key once, and again only after the interval', async () => {
    await using store = await createTestStore();
    const { lastUsed, clock } = await start(store, ['key_a']);
    const writes = vi.spyOn(store.pool, 'connect');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let index = 0; index < 5000; index++) lastUsed.touch('key_a');
    await tick();
    for (let second = 1; second < BETWEEN_WRITES_MS / 1000; second++) {
      clock.advance(1000);
      lastUsed.touch('key_a');
      await tick();
    }
    expect(writes).toHaveBeenCalledTimes(1);
    clock.advance(1000);
    await tick();
    await vi.waitFor(() => expect(writes).toHaveBeenCalledTimes(2));
    await lastUsed.close();
    expect(writes).toHaveBeenCalledTimes(2);
  });

  it('never sets a time back, whatever another process wrote', async () => {
    await using store = await createTestStore();
    const { lastUsed } = await start(store, ['key_a']);
    const later = new Date('2099-01-01T00:00:00Z');
    await store.db.updateTable('api_keys').set({ last_used_at: later }).execute();
    lastUsed.touch('key_a');
    await lastUsed.flush();
    expect(await usesIn(store)).toEqual({ key_a: later });
  });

  it('writes many keys in one statement, and skips those deleted meanwhile', async () => {
    await using store = await createTestStore();
    const { lastUsed, clock } = await start(store, ['key_a', 'key_b', 'key_c']);
    const writes = vi.spyOn(store.pool, 'connect');
    for (const id of ['key_c', 'key_gone', 'key_a']) lastUsed.touch(id);
    await lastUsed.flush();
    expect(writes).toHaveBeenCalledTimes(1);
    expect(await usesIn(store)).toEqual({ key_a: clock.now(), key_b: null, key_c: clock.now() });
  });

  it('keeps what could not be written, and writes it when the store is back', async () => {
    await using store = await createTestStore();
    const { lastUsed, clock } = await start(store, ['key_a']);
    const broken = vi.spyOn(store.pool, 'connect').mockImplementationOnce(() => {
      throw new Error('gone');
    });
    lastUsed.touch('key_a');
    await lastUsed.flush();
    expect(broken).toHaveBeenCalledTimes(1);
    expect(await usesIn(store)).toEqual({ key_a: null });
    await lastUsed.flush();
    expect(await usesIn(store)).toEqual({ key_a: clock.now() });
  });

  it('writes the rest when it is closed, and nothing after that', async () => {
    await using store = await createTestStore();
    const { lastUsed, clock } = await start(store, ['key_a', 'key_b']);
    lastUsed.touch('key_a');
    await lastUsed.close();
    lastUsed.touch('key_b');
    await lastUsed.flush();
    expect(await usesIn(store)).toEqual({ key_a: clock.now(), key_b: null });
  });
});

const tick = () => vi.advanceTimersByTimeAsync(FLUSH_AFTER_MS);

async function start(store: TestStore, keyIds: readonly string[]) {
  await store.db.insertInto('organisations').values({ id: 'org_a', name: 'a', slug: 'a', plan: 'pro' }).execute();
  const rows = keyIds.map((id) => ({
    id,
    public_id: id,
    organisation_id: 'org_a',
    name: id,
    prefix: id,
    role: 'user' as const,
    secret_hash: Buffer.from(id),
  }));
  await store.db.insertInto('api_keys').values(rows).execute();
  const clock = createFakeClock();
  return { clock, lastUsed: createLastUsed({ db: store.db, clock, log: silentLog }) };
}

async function usesIn(store: TestStore): Promise<Record<string, Date | null>> {
  const rows = await store.db.selectFrom('api_keys').select(['id', 'last_used_at']).orderBy('id').execute();
  return Object.fromEntries(rows.map((row) => [row.id, row.last_used_at]));
}
