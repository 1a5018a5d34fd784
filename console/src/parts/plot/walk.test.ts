import { describe, expect, it } from 'vitest';
import { measuredIn, momentAfter } from './walk.ts';

describe('a plot by the keyboard', () => {
  const measured = Array.from({ length: 30 }, (_, index) => index * 10);

  it.each([
    ['ArrowLeft', 100, 90],
    ['ArrowDown', 100, 90],
    ['ArrowRight', 100, 110],
    ['ArrowUp', 100, 110],
    ['PageDown', 150, 50],
    ['PageUp', 150, 250],
    ['Home', 100, 0],
    ['End', 100, 290],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 290, 290],
    ['PageUp', 280, 290],
  ])('%s leads from %d to %d', (key, from, to) => expect(momentAfter(key, measured, from)).toBe(to));

  it('goes on from between two, where a pointer was, to either of them', () => {
    expect([momentAfter('ArrowLeft', measured, 105), momentAfter('ArrowRight', measured, 105)]).toEqual([100, 110]);
    expect([momentAfter('ArrowLeft', measured, 999), momentAfter('ArrowRight', measured, -5)]).toEqual([290, 0]);
  });

  it('begins at the newest, and ends with Escape', () => {
    expect([momentAfter('ArrowLeft', measured, null), momentAfter('ArrowRight', measured, null)]).toEqual([280, 290]);
    expect([momentAfter('Escape', measured, 100), momentAfter('Escape', measured, null)]).toEqual([null, undefined]);
  });

  it('leaves other keys alone, and has nowhere to go where nothing was measured', () => {
    expect([momentAfter('Tab', measured, 100), momentAfter('End', [], null)]).toEqual([undefined, undefined]);
  });

  it('comes by what was measured and is in sight', () => {
    const columns: [number[], ...(number | null | undefined)[][]] = [
      [1, 2, 3, 4, 5],
      [1, null, undefined, 0, 7],
      [1, null, 3, null, 7],
    ];
    expect(measuredIn(columns, { from: 1.5, to: 4 })).toEqual([3, 4]);
  });
});
