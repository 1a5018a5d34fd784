import type { Invariant } from './problem.ts';

const NAME = 'what was disturbed is back soon';

/** From the last harm that anybody did, on a machine that may be busy with other things too: at rest, each takes seconds. */
const MOST_MS = 90_000;

export const isBackSoon: Invariant = async ({ scene }) =>
  scene.outages
    .recoveries()
    .filter(({ tookMs }) => tookMs > MOST_MS)
    .map(({ what, tookMs }) => ({
      invariant: NAME,
      about: what,
      what: `it took ${seconds(tookMs)} to come back after the last harm, ${seconds(MOST_MS)} are allowed`,
    }));

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
