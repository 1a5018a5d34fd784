import { expect, it } from 'vitest';
import { readSince } from './since.ts';

const now = new Date('2026-11-15T12:00:00.000Z');

it('reads how long ago', () => {
  expect(readSince('90s', now).toISOString()).toBe('2026-11-15T11:58:30.000Z');
  expect(readSince('15m', now).toISOString()).toBe('2026-11-15T11:45:00.000Z');
  expect(readSince('1h', now).toISOString()).toBe('2026-11-15T11:00:00.000Z');
  expect(readSince('2 D', now).toISOString()).toBe('2026-11-13T12:00:00.000Z');
});

it('reads a time', () => {
  expect(readSince('2026-11-15T11:00:00+01:00', now).toISOString()).toBe('2026-11-15T10:00:00.000Z');
});

it('refuses the rest', () => {
  for (const text of ['', '1', 'h', '1y', '-1h', '1.5h', 'today', '12:00', '2026-99-99']) {
    expect(() => readSince(text, now)).toThrow('--since is 30s, 15m, 1h, 2d or a time such as');
  }
});
