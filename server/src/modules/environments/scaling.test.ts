import { describe, expect, it } from 'vitest';
import { fitScaling } from './scaling.ts';
import { refusal } from './testing/refusal.ts';

describe('the range of instances', () => {
  it.each([
    ['free', 10, 3],
    ['pro', 100, 20],
    ['enterprise', 100, 100],
    ['free', 2, 2],
  ] as const)('on the plan %s a maximum of %i becomes %i', (plan, max_instances, fitted) => {
    expect(fitScaling(plan, { min_instances: 1, max_instances })).toEqual({ min_instances: 1, max_instances: fitted });
  });

  it('is refused when its lower end is above its upper one or above the plan', () => {
    expect(() => fitScaling('pro', { min_instances: 3, max_instances: 2 })).toThrow(refusal(/not be above/));
    expect(() => fitScaling('free', { min_instances: 4, max_instances: 10 })).toThrow(refusal(/at most 3/));
  });
});
