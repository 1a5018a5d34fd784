import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { findRoute, publishRoute, readRoutesAfter } from './route-store.ts';

it('whoever has read a version has missed none before it, however many publish at a time', async () => {
  await using store = await createTestStore();
  const { db } = store;
  const over = new AbortController();
  const seen: number[] = [];
  const following = (async () => {
    while (!over.signal.aborted) {
      for (const { version } of await readRoutesAfter(db, seen.at(-1) ?? 0)) seen.push(version);
    }
  })();
  const published = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      db.transaction().execute(async (tx) => {
        const version = await publishRoute(tx, { environmentId: `env_${number}`, subdomain: `app-${number}` });
        await delay(Math.random() * 5);
        return version;
      }),
    ),
  );
  over.abort();
  await following;
  for (const { version } of await readRoutesAfter(db, seen.at(-1) ?? 0)) seen.push(version);
  expect(seen).toEqual(published.toSorted((a, b) => a - b));
});

it('what waited for its turn goes on from what was published meanwhile', async () => {
  await using store = await createTestStore();
  const { db } = store;
  const lock = { key: 'of the first' };
  const hasPublished = Promise.withResolvers<void>();
  const first = db.transaction().execute(async (tx) => {
    await publishRoute(tx, { environmentId: 'env_1', subdomain: 'app', lock });
    hasPublished.resolve();
    await delay(50);
  });
  await hasPublished.promise;
  await db.transaction().execute((tx) => publishRoute(tx, { environmentId: 'env_1', subdomain: 'renamed' }));
  await first;
  expect(await findRoute(db, 'env_1')).toMatchObject({ subdomain: 'renamed', lock });
});
