import { expect, it } from 'vitest';
import { byDatabase } from './by-database.ts';
import type { ConnectedDatabase } from './use-connected.ts';

const link = (database_id: string, variable: string): ConnectedDatabase => ({
  database_id,
  variable,
  name: `Name of ${database_id}`,
  database_type: 'postgresql',
  status: 'healthy',
  environment_id: 'env_1',
  created_at: '2026-11-16T07:51:00.000Z',
});

it('a database that has two variables is told of once, with both', () => {
  const connected = [link('db_2', 'CACHE_URL'), link('db_1', 'DATABASE_URL'), link('db_2', 'READER_URL')];
  expect(byDatabase(connected).map(({ database_id, variables }) => [database_id, variables])).toEqual([
    ['db_2', ['CACHE_URL', 'READER_URL']],
    ['db_1', ['DATABASE_URL']],
  ]);
  expect(byDatabase([])).toEqual([]);
});
