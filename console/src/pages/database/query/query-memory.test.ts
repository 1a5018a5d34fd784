import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetStatements, newQueryId, recall, remember, withEntry } from './query-memory.ts';

const closing = new Set<unknown>();
vi.stubGlobal('addEventListener', (_name: string, listener: unknown) => closing.add(listener));
vi.stubGlobal('removeEventListener', (_name: string, listener: unknown) => closing.delete(listener));
const isAskedAbout = () => closing.size > 0;
afterEach(() => ['db_1', 'db_2'].forEach(forgetStatements));

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
});

describe('a statement that was typed', () => {
  it('is asked about before the window is closed or loaded anew, until it was run as it stands', () => {
    remember('db_1', { draft: '  \n' });
    expect(isAskedAbout(), 'nothing is there').toBe(false);
    remember('db_1', { draft: 'select 1' });
    expect(isAskedAbout()).toBe(true);
    remember('db_1', { history: [{ ...entry('select 1'), isFailure: true }] });
    expect(isAskedAbout(), 'it is to be mended').toBe(true);
    remember('db_1', { history: [entry('select 1')] });
    expect(isAskedAbout()).toBe(false);
    remember('db_1', { draft: 'select 12' });
    expect(isAskedAbout()).toBe(true);
  });

  it('is so whichever database is looked at, and no longer where its database is gone', () => {
    remember('db_1', { draft: 'select 1' });
    remember('db_2', { draft: '' });
    expect(isAskedAbout()).toBe(true);
    forgetStatements('db_1');
    expect([isAskedAbout(), recall('db_1').draft]).toEqual([false, '']);
  });
});

it('an id of a statement has the form that the platform takes', () => {
  expect(newQueryId()).toMatch(/^[0-9a-f]{24}$/);
  expect(newQueryId()).not.toBe(newQueryId());
});
