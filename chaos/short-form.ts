import type { PlanOptions } from './plan.ts';

/**
 * The plan of `e2e/chaos.test.ts`, of forty seconds: each of these faults once, and so every kind of harm. Somebody is
 * killed, of those who work, who answer and who run what people have made; somebody is stopped in order, held, cut off,
 * and filled up.
 */
export const shortForm = {
  seed: 7,
  minutes: 0.65,
  faultNames: [
    'kill-worker',
    'kill-first-edge',
    'kill-instance',
    'stop-store',
    'hold-worker',
    'cut-store',
    'fill-instance',
  ],
} as const satisfies PlanOptions;
