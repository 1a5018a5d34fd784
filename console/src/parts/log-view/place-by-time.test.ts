import { describe, expect, it } from 'vitest';
import { inOrderOfTime, placeByTime } from './place-by-time.ts';

const at = (second: number, text = '') => ({ at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(), text });

describe('a line that comes late', () => {
  it.each([
    ['in order', 4, 3],
    ['of the same moment as the last', 3, 3],
    ['a little late', 2.5, 2],
    ['of the same moment as one before', 2, 2],
    ['before all', 0, 0],
  ])('%s is put in its place', (_how, second, place) => {
    expect(placeByTime([at(1), at(2), at(3)], at(second), 5000)).toBe(place);
  });

  it('stays at the end where its place is out of sight', () => {
    expect(placeByTime([at(1), at(20)], at(10), 5000)).toBe(2);
    expect(placeByTime([at(1), at(20)], at(10), Infinity)).toBe(1);
  });

  it('stays at the end where a time is not known', () => {
    expect(placeByTime([at(3)], { text: 'no time' }, 5000)).toBe(1);
    expect(placeByTime([at(3), { text: 'no time' }], at(1), 5000)).toBe(2);
    expect(placeByTime([], at(1), 5000)).toBe(0);
  });
});

it('lines of one moment stay as they came', () => {
  const came = [at(2, 'c'), at(1, 'a'), at(2, 'd'), at(1, 'b')];
  expect(inOrderOfTime(came).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
  expect(inOrderOfTime([{ text: 'x' }, { text: 'y' }]).map(({ text }) => text)).toEqual(['x', 'y']);
});
