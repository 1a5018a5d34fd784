import { describe, expect, it } from 'vitest';
import { forgetPerson } from '../../../lib/person-memory.ts';
import { newQueryId, recall, remember, withEntry } from './query-memory.ts';

const entry = (statement: string) => ({ statement, at: '2026-01-01T00:00:00Z', outcome: '1 row', isFailure: false });

describe('what was run', () => {
  it('is there once, the newest first', () => {
    const history = [entry('b'), entry('a')];
    expect(withEntry(history, entry('a')).map(({ statement }) => statement)).toEqual(['a', 'b']);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 50 }, (_, index) => entry(`select ${index}`));
    expect(withEntry(many, entry('last'))).toHaveLength(30);
  });

  it('is kept for each database by itself', () => {
    remember('db_1', { draft: 'select 1' });
    remember('db_1', { history: [entry('a')] });
    expect(recall('db_1')).toEqual({ draft: 'select 1', history: [entry('a')] });
    expect(recall('db_2')).toEqual({ draft: '', history: [] });
  });

  it('is not shown to whoever signs in next', () => {
    remember('db_1', { draft: 'select 1', history: [entry('a')] });
    forgetPerson();
    expect(recall('db_1')).toEqual({ draft: '', history: [] });
  });
});

it('an id of a statement has the form that the platform takes', () => {
  expect(newQueryId()).toMatch(/^[0-9a-f]{24}$/);
  expect(newQueryId()).not.toBe(newQueryId());
});
