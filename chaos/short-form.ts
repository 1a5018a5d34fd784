import type { PlanOptions } from './plan.ts';

/**
 * What `e2e/chaos.test.ts` does in less than a minute: each kind of harm once. Somebody is killed, of those who work,
 * who answer and who run what people have made; somebody is stopped in order, held, cut off, and filled up.
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
