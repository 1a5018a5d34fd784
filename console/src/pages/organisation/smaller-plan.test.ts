import { plans } from '@lilac/contract/plans';
import { describe, expect, it } from 'vitest';
import { askOfSmallerPlan } from './smaller-plan.ts';

describe('a change of the plan', () => {
  it('to the same or a larger one takes nothing away, and is not asked about', () => {
    for (const [index, from] of plans.entries()) {
      expect(plans.slice(index).map((to) => askOfSmallerPlan(from, to))).toEqual(plans.slice(index).map(() => null));
    }
  });

  it('to a smaller one says what stops', () => {
    expect(askOfSmallerPlan('pro', 'free')).toEqual({
      title: 'Change from pro to the smaller plan free?',
      consequence: expect.stringMatching(
        /API keys stop .* 3 instances at most.* on the plan pro all of that is as it was/,
      ),
    });
    const { consequence } = askOfSmallerPlan('enterprise', 'pro')!;
    expect(consequence).toContain('20 instances at most');
    expect(consequence, 'pro has keys').not.toContain('API keys');
  });
});
