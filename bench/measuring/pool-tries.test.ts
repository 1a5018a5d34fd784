import { describe, expect, it } from 'vitest';
import { lineOf, missingLine, type Line } from './line.ts';
import { poolTries } from './pool-tries.ts';

const took = (ours: number) => lineOf('wake', { name: 'boot', unit: 'ms', ours, bar: { of: 'ours', atMost: 100 } });
const against = (theirs: number) =>
  lineOf('wake', { name: 'rate', unit: '/s', ours: 10, theirs, bar: { of: 'ratio', atLeast: 0.9 } });
const lost = (ours: number) =>
  lineOf('failover', { name: 'rows lost', unit: '', ours, bar: { of: 'ours', atMost: 0 } });
const known = (ours: number) => lineOf('wake', { name: 'size', unit: 'kB', ours });
const broken = missingLine('wake', 'boot', 'it broke off');

/** As they come from the file that the programs wrote. */
const pool = (...lines: Line[]) => poolTries(lines.map((line) => JSON.parse(JSON.stringify(line)) as Line));

describe('what was tried more than once', () => {
  it('is what it was where there was one try', () => {
    expect(pool(took(90), against(10), known(1))).toEqual([took(90), against(10), known(1)]);
  });

  it('is told and judged by its median try, and all of its tries are told', () => {
    expect(pool(took(120), took(90), took(95))).toEqual([
      { ...took(95), name: 'boot (3 tries: 120 ms; 90 ms; 95 ms)', verdict: 'ok' },
    ]);
    expect(pool(took(120), took(90), took(110))).toMatchObject([{ ours: '110 ms', verdict: 'short' }]);
    expect(pool(against(20), against(10), against(20))).toMatchObject([
      { name: 'rate (3 tries: 10 /s, 0.50; 10 /s, 1; 10 /s, 0.50)', verdict: 'short' },
    ]);
    expect(pool(known(3), known(1), known(2))).toMatchObject([{ ours: '2 kB', verdict: 'no bar' }]);
  });

  it('stays short where one of two tries was, whichever it was', () => {
    for (const tries of [
      [took(120), took(90)],
      [took(90), took(120)],
    ]) {
      expect(pool(...tries)).toMatchObject([{ ours: '120 ms', verdict: 'short' }]);
    }
  });

  it('stays bad where one try measured nothing', () => {
    expect(pool(took(90), broken, took(90))).toMatchObject([{ verdict: 'not measured', advice: 'it broke off' }]);
    expect(pool(took(90), took(NaN), took(90))).toMatchObject([{ verdict: 'short' }]);
    expect(pool(took(90), took(Infinity), took(90))).toMatchObject([{ verdict: 'short' }]);
  });

  it('stays short where something was lost that may never be', () => {
    expect(pool(lost(0), lost(2), lost(0))).toMatchObject([{ ours: '2', verdict: 'short' }]);
    expect(pool(lost(0), lost(0), lost(0))).toMatchObject([{ ours: '0', verdict: 'ok' }]);
  });

  it('comes in the order of the first try, each thing by itself', () => {
    const names = pool(took(120), against(10), lost(0), took(90), against(10), took(90), against(10));
    expect(names.map(({ bench, name }) => `${bench}, ${name.split(' (')[0]}`)).toEqual([
      'wake, boot',
      'wake, rate',
      'failover, rows lost',
    ]);
  });
});
