import { describe, expect, it } from 'vitest';
import { edgesBehind, reportEdge } from '../../routing/route-store.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { letEdgesFollow } from './let-edges-follow.ts';

const LONG_MS = 60_000;
const LONG = { patienceMs: LONG_MS, returnMs: LONG_MS };
const silence = ({ pool }: TestStore) => pool.query(`update edges set seen_at = now() - interval '1 minute'`);

it('answers when the last edge has followed, and not before', async () => {
  await using store = await createTestStore();
  await reportEdge(store.db, 'one', 7);
  await reportEdge(store.db, 'two', 6);
  let hasAnswered = false;
  const following = letEdgesFollow(store.db, 7, LONG).then(() => (hasAnswered = true));
  for (let look = 0; look < 10; look++) expect(await edgesBehind(store.db, 7)).toEqual(['two']);
  expect(hasAnswered).toBe(false);
  await reportEdge(store.db, 'two', 8);
  await following;
});

it('waits for nobody when there is no edge, when nothing changed, and when patience is at its end', async () => {
  await using store = await createTestStore();
  await letEdgesFollow(store.db, 7, LONG);
  await reportEdge(store.db, 'one', 1);
  await letEdgesFollow(store.db, null, LONG);
  await letEdgesFollow(store.db, 7, { ...LONG, patienceMs: 20 });
  expect(await edgesBehind(store.db, 7)).toEqual(['one']);
});

describe('right after an outage of the store', () => {
  it('an edge that has yet to report again is waited for', async () => {
    await using store = await createTestStore();
    await reportEdge(store.db, 'late', 6);
    await silence(store);
    let hasAnswered = false;
    const following = letEdgesFollow(store.db, 7, LONG).then(() => (hasAnswered = true));
    for (let look = 0; look < 50; look++) expect(await edgesBehind(store.db, 7)).toEqual([]);
    expect(hasAnswered).toBe(false);
    await reportEdge(store.db, 'late', 6);
    for (let look = 0; look < 10; look++) expect(await edgesBehind(store.db, 7)).toEqual(['late']);
    expect(hasAnswered).toBe(false);
    await reportEdge(store.db, 'late', 7);
    await following;
  });

  it('one that does not come back in time is not waited for any longer', async () => {
    await using store = await createTestStore();
    await reportEdge(store.db, 'gone', 6);
    await silence(store);
    await letEdgesFollow(store.db, 7, { ...LONG, returnMs: 50 });
    expect(await edgesBehind(store.db, 7, { mayReturn: true })).toEqual(['gone']);
  });
});
