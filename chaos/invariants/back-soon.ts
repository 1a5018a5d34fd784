import type { Invariant } from './problem.ts';

const NAME = 'what was disturbed is back soon';

/**
 * From the last harm to the same part, or to the store or the supervisor, which all parts stand on. On a machine that
 * is busy with faults of other parts and may be with other things too: at rest, each takes seconds.
 */
const MOST_MS = 90_000;

export const isBackSoon: Invariant = async ({ scene }) =>
  scene.outages
    .recoveries()
    .filter(({ tookMs }) => tookMs > MOST_MS)
    .map(({ what, tookMs }) => ({
      invariant: NAME,
      about: what,
      what: `it took ${seconds(tookMs)} to come back after the last harm that reached it, ${seconds(MOST_MS)} are allowed`,
    }));

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
