import { describe, expect, it } from 'vitest';
import { isBad, lineOf, missingLine, textOf, type Measurement } from './line.ts';

const against = (measured: Partial<Measurement>) =>
  lineOf('wake', { name: 'first answer', unit: 'ms', ours: 130, theirs: 81, ...measured });

describe('the line of a measurement', () => {
  it('says ours, theirs, the ratio of both, the bar and the verdict', () => {
    const line = against({ bar: { of: 'ratio', atMost: 1.8 } });
    expect(textOf(line)).toBe('wake, first answer: 130 ms, 81 ms, 1.60, at most 1.80, ok');
  });

  it("goes by the median of the rounds' ratios where it is given", () => {
    const line = against({ ratio: 1.9, bar: { of: 'ratio', atMost: 1.8 } });
    expect(line).toMatchObject({ ratio: '1.90', verdict: 'short' });
  });

  it('shows what ours adds where that is what the bar is about', () => {
    expect(against({ bar: { of: 'more', atMost: 60 } })).toMatchObject({ ratio: '+49 ms', verdict: 'ok' });
    expect(against({ more: 61.4, bar: { of: 'more', atMost: 60 } })).toMatchObject({
      ratio: '+61.4 ms',
      bar: 'at most 60 ms more',
      verdict: 'short',
    });
    expect(against({ ours: 80, bar: { of: 'more', atMost: 60 } }).ratio).toBe('-1 ms');
  });

  it('has a dash for the peer that is not there', () => {
    const line = lineOf('idle', { name: 'memory', unit: 'MB', ours: 351.2, bar: { of: 'ours', atMost: 350 } });
    expect(textOf(line)).toBe('idle, memory: 351 MB, -, -, at most 350 MB, short');
  });

  it('holds ours to the bar, whatever the peer does', () => {
    const bar = { of: 'ours', atLeast: 50_000 } as const;
    expect(against({ ours: 49_999, theirs: 1, bar }).verdict).toBe('short');
    expect(against({ ours: 50_000, theirs: 1e6, bar }).verdict).toBe('ok');
  });

  it('never calls a figure good that is none', () => {
    expect(against({ ours: NaN, bar: { of: 'ours', atMost: 1 } }).verdict).toBe('short');
    expect(against({ theirs: undefined, bar: { of: 'ratio', atMost: 1 } }).verdict).toBe('short');
    expect(against({ ours: Infinity, bar: { of: 'ours', atMost: 600 } }).verdict).toBe('short');
  });

  it('without a bar has no verdict', () => {
    expect(textOf(against({}))).toBe('wake, first answer: 130 ms, 81 ms, 1.60, -, no bar');
  });

  it('is bad when it is short or not measured', () => {
    expect(isBad(against({}))).toBe(false);
    expect(isBad(against({ bar: { of: 'ours', atMost: 130 } }))).toBe(false);
    expect(isBad(against({ bar: { of: 'ours', atMost: 129 } }))).toBe(true);
    expect(isBad(missingLine('edge-proxy', 'against Caddy', 'apt-get install caddy'))).toBe(true);
  });

  it('says what to do where nothing was measured', () => {
    expect(textOf(missingLine('edge-proxy', 'against Caddy', 'apt-get install caddy'))).toBe(
      'edge-proxy, against Caddy: -, -, -, -, not measured (apt-get install caddy)',
    );
  });
});
