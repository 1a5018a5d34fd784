import type { Invariant } from './problem.ts';

const NAME = 'every request is answered, unless a fault explains why not';

export const isEverybodyAnswered: Invariant = async ({ scene }) =>
  scene.outages.unexplained().map(({ part, message, startedAt, endedAt }) => ({
    invariant: NAME,
    about: part,
    what: `${message} (after ${Math.round(endedAt - startedAt)} ms)`,
  }));
