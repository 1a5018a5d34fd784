export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export interface PlanLimits {
  apiKeys: boolean;
  maxInstances: number;
}

export const planLimits: Record<Plan, PlanLimits> = {
  free: { apiKeys: false, maxInstances: 3 },
  pro: { apiKeys: true, maxInstances: 20 },
  enterprise: { apiKeys: true, maxInstances: 100 },
};
