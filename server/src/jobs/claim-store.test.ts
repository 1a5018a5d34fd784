import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { CLAIM } from './claim-store.ts';
import { PLANNING } from './worker-session.ts';

it('takes jobs along the index, though the planner believes the queue empty', async () => {
  await using store = await createTestStore();
  const client = store.newClient();
  await client.connect();
  await client.query('analyze jobs');
  await client.query(
    `insert into jobs (kind, max_attempts, lane) select 'k', 1, 'lane ' || n % 100 from generate_series(1, 20000) n`,
  );
  await client.query(PLANNING);
  const { rows } = await client.query<Record<string, string>>(`explain (analyze) ${CLAIM}`, [['k'], 4, 'w', 1000, []]);
  await client.end();
  const plan = rows.map((row) => row['QUERY PLAN']!);
  const walk = plan.find((line) => line.includes('on jobs waiting'))!;
  expect(walk).toMatch('Index Scan using jobs_ready');
  expect(Number(/actual.* rows=(\d+)/.exec(walk)![1])).toBe(4);
});
