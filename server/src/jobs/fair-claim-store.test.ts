import { expect, it } from 'vitest';
import { createTestStore } from '../testing/test-store.ts';
import { CLAIM_FAIRLY } from './fair-claim-store.ts';
import { PLANNING } from './worker-session.ts';

it('looks at one job of each group, however many wait', async () => {
  await using store = await createTestStore();
  const client = store.newClient();
  await client.connect();
  await client.query('analyze jobs');
  await client.query(
    `insert into jobs (kind, max_attempts, group_name, lane)
     select 'k', 1, 'group ' || n % 5, 'lane ' || n from generate_series(1, 20000) n`,
  );
  await client.query(PLANNING);
  const { rows } = await client.query<Record<string, string>>(`explain (analyze) ${CLAIM_FAIRLY}`, [
    'k',
    'w',
    1000,
    [],
    [],
  ]);
  await client.end();
  const plan = rows.map((row) => row['QUERY PLAN']!);
  const reads = plan.filter((line) => line.includes('jobs_group_waiting'));
  expect(reads.length).toBeGreaterThanOrEqual(3);
  for (const line of reads) expect(Number(/actual.* rows=([\d.]+)/.exec(line)![1])).toBeLessThanOrEqual(1);
  expect(plan.filter((line) => /Seq Scan/.test(line))).toEqual([]);
});
