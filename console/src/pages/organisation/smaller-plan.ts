import { type Plan, planLimits } from '@lilac/contract/plans';
import type { Question } from '../../parts/asking-form.tsx';

/** What a smaller plan takes away; null where the other is no smaller. */
export function askOfSmallerPlan(from: Plan, to: Plan): Question | null {
  const [before, after] = [planLimits[from], planLimits[to]];
  const lost = [
    before.apiKeys && !after.apiKeys && 'All API keys stop working at once, and with them what is deployed by scripts.',
    after.maxInstances < before.maxInstances &&
      `Every environment runs ${after.maxInstances} instances at most: where there are more, the others are stopped.`,
  ].filter((each) => each !== false);
  if (lost.length === 0) return null;
  const consequence = [...lost, `Nothing is deleted: on the plan ${from} all of that is as it was.`].join(' ');
  return { title: `Change from ${from} to the smaller plan ${to}?`, consequence };
}
