import { describe, expect, it } from 'vitest';
import { filtersOf, parseLogLine, printLogLine, readLogRequest, toggleSeverity, withoutHeld } from './log-request.ts';

const nothing = { severity: '', text: '', time: '', from: '', to: '' };
const now = Date.parse('2026-11-15T12:00:00Z');

describe('what the address asks for', () => {
  it('is everything as it is written where it says nothing', () => {
    const request = readLogRequest(nothing);
    expect(request).toEqual({ severities: [], text: '', time: '', from: '', to: '' });
    expect(filtersOf(request, now)).toEqual({});
  });

  it('leaves out what is not known', () => {
    const request = readLogRequest({ ...nothing, severity: 'error,loud,WARN', time: 'never', from: '2026-11-15' });
    expect(request).toMatchObject({ severities: ['WARN', 'ERROR'], time: '', from: '' });
  });

  it('between two times has either end open', () => {
    const request = readLogRequest({ ...nothing, time: 'between', from: '2026-11-15T10:00:00Z', to: 'soon' });
    expect(filtersOf(request, now)).toEqual({ startTime: '2026-11-15T10:00:00.000Z' });
  });

  it('a range ends now', () => {
    const request = readLogRequest({ ...nothing, time: '6h', text: 'boom', severity: 'FATAL' });
    expect(filtersOf(request, now)).toEqual({
      startTime: '2026-11-15T06:00:00.000Z',
      severity: ['FATAL'],
      textSearch: 'boom',
    });
  });
});

it('choosing the last severity that was left out chooses none', () => {
  expect(toggleSeverity(['INFO', 'WARN'], 'WARN')).toEqual(['INFO']);
  expect(toggleSeverity(['DEBUG', 'INFO', 'WARN', 'ERROR'], 'FATAL')).toEqual([]);
});

describe('a line', () => {
  it('is read as it was printed', () => {
    const text = '2026-11-15T12:00:00.000Z ERROR two  spaces\tand more';
    expect(parseLogLine(text)).toEqual({
      at: '2026-11-15T12:00:00.000Z',
      severity: 'ERROR',
      text: 'two  spaces\tand more',
    });
    expect(printLogLine(parseLogLine(text))).toBe(text);
  });

  it('that is empty is a line', () => {
    expect(parseLogLine('2026-11-15T12:00:00.000Z INFO ').text).toBe('');
  });

  it('of another kind is kept whole', () => {
    expect(parseLogLine('what is this')).toEqual({ text: 'what is this' });
  });
});

const line = (text: string) => ({ at: '2026-11-15T12:00:00.000Z', severity: 'INFO' as const, text });

it('older lines that are held already are left out, as often as they are held', () => {
  const older = [line('a'), line('same'), line('same'), line('b')];
  expect(withoutHeld(older, [line('same'), line('b'), line('c')])).toEqual([line('a'), line('same')]);
});
