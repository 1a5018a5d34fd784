import { describe, expect, it } from 'vitest';
import { actions, faults, isFault, planChaos } from './plan.ts';
import { shortForm } from './short-form.ts';

const kindsIn = (minutes: number, seed = 7) => new Set(planChaos({ seed, minutes }).map(({ name }) => name));

/** To kill, to hold, to cut and so on: the first word of their names. */
const harmsIn = (names: readonly string[]) => new Set(names.map((name) => name.split('-')[0]));

const fillsIn = (minutes: number) =>
  planChaos({ seed: 1, minutes }).filter(({ name }) => name === 'fill-database').length;

describe('a plan of chaos', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planChaos({ seed: 7, minutes: 5 })).toEqual(planChaos({ seed: 7, minutes: 5 }));
    expect(planChaos({ seed: 7, minutes: 5 })).not.toEqual(planChaos({ seed: 8, minutes: 5 }));
  });

  it('has everything in it that can happen, once it is long enough', () => {
    expect([...kindsIn(8)].sort()).toEqual([...Object.keys(actions), ...Object.keys(faults)].sort());
  });

  it('goes in the order of its times, and ends in time', () => {
    const steps = planChaos({ seed: 3, minutes: 2 });
    expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).sort((a, b) => a - b));
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, at) => at + 1));
    expect(steps.at(-1)!.atMs).toBeLessThan(120_000);
  });

  it('does what takes long seldom, and never in a short time', () => {
    expect([fillsIn(2), fillsIn(8)]).toEqual([0, 1]);
    expect(fillsIn(40)).toBeLessThanOrEqual(5);
  });

  it('has each kind of harm in its short form, and each fault of that once', () => {
    const planned = planChaos(shortForm)
      .map(({ name }) => name)
      .filter(isFault);
    expect(planned.toSorted()).toEqual([...shortForm.faultNames].sort());
    expect(harmsIn(planned)).toEqual(harmsIn(Object.keys(faults)));
  });

  it('has only the faults that are wanted', () => {
    const steps = planChaos({ seed: 7, minutes: 3, faultNames: ['kill-api', 'kill-worker'] });
    const found = new Set(steps.map(({ name }) => name).filter(isFault));
    expect([...found].sort()).toEqual(['kill-api', 'kill-worker']);
  });
});
