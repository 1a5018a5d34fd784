import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { currentMigration, migrate, migrationNames } from './migrate.ts';

it('brings an empty store to the newest schema, and does nothing the second time', async () => {
  await using store = await createTestStore({ migrated: false });
  expect(await currentMigration(store.db)).toBeNull();
  expect(await migrate(store.db)).toEqual(migrationNames());
  expect(await migrate(store.db)).toEqual([]);
  expect(await currentMigration(store.db)).toBe(migrationNames().at(-1));
});

it('lets many processes migrate at once', async () => {
  await using store = await createTestStore({ migrated: false });
  const applied = await Promise.all([1, 2, 3].map(() => migrate(store.db)));
  expect(applied.flat()).toEqual(migrationNames());
});
