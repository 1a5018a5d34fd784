import { describe, expect, it } from 'vitest';
import { formatRelative } from './format-time.ts';

describe('formatRelative', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['2026-03-01T11:59:30Z', 'just now'],
    ['2026-03-01T11:59:00Z', '1 minute ago'],
    ['2026-03-01T09:00:00Z', '3 hours ago'],
    ['2026-02-28T12:00:00Z', 'yesterday'],
    ['2026-03-03T13:00:00Z', 'in 2 days'],
    ['2025-01-01T00:00:00Z', 'last year'],
  ])('%s is %s', (instant, words) => {
    expect(formatRelative(instant, now)).toBe(words);
  });
});
