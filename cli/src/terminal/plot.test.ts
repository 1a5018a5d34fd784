import { describe, expect, it } from 'vitest';
import { plot } from './plot.ts';

const at = (minute: number, v: number) => ({ t: new Date(minute * 60_000).toISOString(), v });
const usual = { startMs: 0, endMs: 4 * 60_000, stepMs: 60_000, width: 4, height: 2, most: 16, hasUnicode: true };

describe('plot', () => {
  it('is as high as the values are, with nothing lower than nothing and blanks where it was not measured', () => {
    expect(plot([at(0, 0), at(1, 8), at(3, 16)], usual)).toEqual(['   █', '▁█ █']);
    expect(plot([at(0, 12)], usual)).toEqual(['▄   ', '█   ']);
  });

  it('shows the highest of the points that share a bar, and wider bars where there is room', () => {
    expect(plot([at(0, 1), at(1, 16), at(2, 0), at(3, 8)], { ...usual, width: 2 })).toEqual(['█ ', '██']);
    expect(plot([at(3, 16)], { ...usual, width: 9, height: 1 })).toEqual(['      ██']);
  });

  it('stays within its bounds, whatever it is given', () => {
    const odd = [at(-3, 5), at(99, 5), at(0, 99)];
    expect(plot(odd, { ...usual, hasUnicode: false })).toEqual(['#   ', '#   ']);
    expect(plot([at(0, 0)], { ...usual, most: 0, height: 1 })).toEqual(['▁   ']);
  });
});
