import { planLimits, type Plan } from '@lilac/contract/plans';
import { invalid } from '../../lib/fault.ts';

export interface Scaling {
  min_instances: number;
  max_instances: number;
}

/** What creating takes when nothing is said. */
export const DEFAULT_SCALING: Scaling = { min_instances: 0, max_instances: 10 };

/** More than the plan's cap is lowered to it, not refused; what then makes no range is. */
export function fitScaling(plan: Plan, { min_instances, max_instances }: Scaling): Scaling {
  const cap = planLimits[plan].maxInstances;
  if (min_instances > max_instances) {
    throw invalid(`minInstances (${min_instances}) must not be above maxInstances (${max_instances}).`);
  }
  if (min_instances > cap) throw invalid(`minInstances must be at most ${cap}, the most the plan "${plan}" allows.`);
  return { min_instances, max_instances: Math.min(max_instances, cap) };
}
