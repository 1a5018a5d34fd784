import { expect, it } from 'vitest';
import { edgesBehind, reportEdge } from '../../routing/route-store.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { letEdgesFollow } from './let-edges-follow.ts';

const LONG_MS = 60_000;

it('answers when the last edge has followed, and not before', async () => {
  await using store = await createTestStore();
  await reportEdge(store.db, 'one', 7);
  await reportEdge(store.db, 'two', 6);
  let hasAnswered = false;
  const following = letEdgesFollow(store.db, 7, LONG_MS).then(() => (hasAnswered = true));
  for (let look = 0; look < 10; look++) expect(await edgesBehind(store.db, 7)).toEqual(['two']);
  expect(hasAnswered).toBe(false);
  await reportEdge(store.db, 'two', 8);
  await following;
});

it('waits for nobody when there is no edge, when nothing changed, and when patience is at its end', async () => {
  await using store = await createTestStore();
  await letEdgesFollow(store.db, 7, LONG_MS);
  await reportEdge(store.db, 'one', 1);
  await letEdgesFollow(store.db, null, LONG_MS);
  await letEdgesFollow(store.db, 7, 20);
  expect(await edgesBehind(store.db, 7)).toEqual(['one']);
});
