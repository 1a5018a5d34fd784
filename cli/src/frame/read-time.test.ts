import { expect, it } from 'vitest';
import { readTime } from './read-time.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const read = (text: string, at = now) => readTime(text, { flag: 'since', now: at }).toISOString();

it('reads how long ago', () => {
  expect(read('90s')).toBe('2026-11-15T11:58:30.000Z');
  expect(read('15m')).toBe('2026-11-15T11:45:00.000Z');
  expect(read('1h')).toBe('2026-11-15T11:00:00.000Z');
  expect(read('2 D')).toBe('2026-11-13T12:00:00.000Z');
});

it('reads a time, in UTC where no zone is said', () => {
  expect(read('2026-11-15T11:00:00+01:00')).toBe('2026-11-15T10:00:00.000Z');
  for (const text of ['2026-11-15T11:00:00.000Z', '2026-11-15 11:00', '2026-11-15 11:00 UTC', '2026-11-15T11:00:00']) {
    expect([text, read(text)]).toEqual([text, '2026-11-15T11:00:00.000Z']);
  }
  expect(read('2026-11-15')).toBe('2026-11-15T00:00:00.000Z');
});

it('takes back what the log shows on a terminal', () => {
  expect(read('11-15 11:59:59.123Z')).toBe('2026-11-15T11:59:59.123Z');
  expect(read('11-14 23:00:01.5')).toBe('2026-11-14T23:00:01.500Z');
  expect(read('12-31 23:59:59.999Z', new Date('2027-01-01T00:00:10Z'))).toBe('2026-12-31T23:59:59.999Z');
});

it('takes a time of day for the last such time', () => {
  expect(read('11:59')).toBe('2026-11-15T11:59:00.000Z');
  expect(read('11:59:30.250')).toBe('2026-11-15T11:59:30.250Z');
  expect(read('12:01')).toBe('2026-11-14T12:01:00.000Z');
});

it('refuses the rest', () => {
  const odd = [
    '',
    '1',
    'h',
    '1y',
    '-1h',
    '1.5h',
    'today',
    '25:00',
    '2026-99-99',
    '02-30',
    '12',
    '2026',
    'Z',
    '1112:00',
  ];
  for (const text of odd) expect(() => read(text)).toThrow('--since is 30s, 15m, 1h, 2d or a time in UTC such as');
});
