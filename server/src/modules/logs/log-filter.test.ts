import { describe, expect, it } from 'vitest';
import { compileFilter, compileTextSearch, requireSeverities, severityMask, type LogFilter } from './log-filter.ts';

const entry = {
  atMs: Date.parse('2026-11-15T12:00:00.500Z'),
  severity: 'WARN',
  message: 'Slow: 100% of [a*b]',
} as const;
const at = (milliseconds: string) => new Date(`2026-11-15T12:00:00.${milliseconds}Z`);
const matches = (filter: LogFilter) => compileFilter(filter)(entry);

describe('compileFilter', () => {
  it('takes anything where nothing is asked for', () => {
    expect(matches({})).toBe(true);
    expect(matches({ severities: null, textSearch: null, startTime: null, endTime: null })).toBe(true);
    expect(matches({ severities: [], textSearch: '' })).toBe(true);
  });

  it('takes any of the severities', () => {
    expect(matches({ severities: ['ERROR', 'WARN'] })).toBe(true);
    expect(matches({ severities: ['ERROR', 'FATAL', 'INFO', 'DEBUG'] })).toBe(false);
  });

  it('finds a part of the message, in upper or lower case, and takes no character for a sign', () => {
    for (const textSearch of ['slow', 'SLOW: 1', '100%', '[a*b]', ' of [']) expect(matches({ textSearch })).toBe(true);
    for (const textSearch of ['s.ow', 's%w', '100_', 'slow$', 'a.b']) {
      expect(matches({ textSearch })).toBe(false);
    }
  });

  it('counts both ends of the time in', () => {
    expect(matches({ startTime: at('500'), endTime: at('500') })).toBe(true);
    expect(matches({ startTime: at('501') })).toBe(false);
    expect(matches({ endTime: at('499') })).toBe(false);
  });

  it('wants all of it at once', () => {
    expect(matches({ severities: ['WARN'], textSearch: 'slow' })).toBe(true);
    expect(matches({ severities: ['WARN'], textSearch: 'fast' })).toBe(false);
    expect(matches({ severities: ['INFO'], textSearch: 'slow' })).toBe(false);
  });
});

it('says of many messages at once whether any can have a text', () => {
  expect(compileTextSearch('BETA')('alpha\nbeta gamma\n')).toBe(true);
  expect(compileTextSearch('delta')('alpha\nbeta gamma\n')).toBe(false);
});

it.each([
  ['ΛΑΘΟΣ', 'ΛΑΘΟΣΗ'],
  ['λάθος', 'ΛΆΘΟΣ ΕΔΏ'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['istanbul', 'İstanbul'],
  ['İSTANBUL', 'istanbul'],
  ['i\u0307stanbul', 'İSTANBUL'],
  ['\u0307x', 'i\u0307x'],
  ['İ', 'Iİ'],
  ['STRASSE', 'Hauptstrasse'],
  ['ÄÖ', 'näöl'],
  ['𐐀', '𐐨'],
])('finds %j in %j, and in it among others', (textSearch, message) => {
  const has = compileTextSearch(textSearch);
  expect([has(message), has(`before\n${message}\nafter`), has('before\nafter')]).toEqual([true, true, false]);
});

it('finds whatever part of a message somebody copies', () => {
  const message = 'ΤΈΛΟΣ. ΣΊΣΥΦΟΣ! Σ İSTANBUL’İ ςσ I\u0307i\u0307 ẞß ǅ ŉ K Å';
  const parts = Array.from(message, (_, from) =>
    Array.from(message.slice(from), (_character, length) => message.slice(from, from + length + 1)),
  ).flat();
  expect(parts.filter((part) => !compileTextSearch(part)(message))).toEqual([]);
});

it('has a bit for each severity, the least severe first', () => {
  expect(severityMask(['DEBUG'])).toBe(1);
  expect(severityMask(['INFO', 'FATAL'])).toBe(0b10010);
  expect(severityMask(undefined)).toBe(0b11111);
});

describe('requireSeverities', () => {
  it('takes them in any case, by other names, and overlooks empty ones', () => {
    expect(requireSeverities(['error', ' Warning ', '', 'TRACE'])).toEqual(['ERROR', 'WARN', 'DEBUG']);
    expect(requireSeverities([])).toEqual([]);
  });

  it('says which there are, where one is unknown', () => {
    expect(() => requireSeverities(['ERROR', 'loud'])).toThrow(
      'severity: there is no "loud". Use any of DEBUG, INFO, WARN, ERROR, FATAL.',
    );
  });
});
