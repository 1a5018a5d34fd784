import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';

it('a connection that ends in the middle of a transaction fails the transaction, not the process', async () => {
  await using store = await createTestStore();
  const cut = store.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await store.pool.query('select pg_terminate_backend($1, 10000)', [rows[0]!.pid]);
    await sql`select 1`.execute(tx);
  });
  await expect(cut).rejects.toThrow(/terminat|connection|not queryable/i);
  const { rows } = await store.pool.query('select 1 as answer');
  expect(rows).toEqual([{ answer: 1 }]);
});
