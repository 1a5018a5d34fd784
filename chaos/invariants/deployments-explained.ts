import type { Span } from '../outages.ts';
import type { Invariant } from './problem.ts';

const NAME = 'a deployment that was taken succeeds, unless a fault explains why not';

/**
 * Those of what is deployed over and over, as they were seen to fail; and whatever else has failed and is still there.
 */
export const areFailuresExplained: Invariant = async ({ scene, peek }) => {
  await scene.watch.look();
  const watched = scene.watch.failed();
  const subjects = new Set([scene.site, scene.server, scene.sleeper].map(({ environmentId }) => environmentId));
  const others = (await peek.failedDeployments())
    .filter(({ environmentId }) => !subjects.has(environmentId))
    .map(({ id, error, createdAt, completedAt }) => ({
      id,
      error,
      // Sites, all of them.
      part: 'site' as const,
      ...spanOf(createdAt, completedAt),
    }));
  return [...watched, ...others]
    .filter(({ part, startedAt, endedAt }) => !scene.outages.explainDeployment(part, { startedAt, endedAt }))
    .map(({ id, part, error, startedAt, endedAt }) => ({
      invariant: NAME,
      about: id,
      what: `of ${part}, failed after ${Math.round(endedAt - startedAt)} ms: ${error}`,
    }));
};

/** Times of the store, as `performance.now()` would have had them. */
export const spanOf = (from: Date, to: Date): Span => ({
  startedAt: from.getTime() - performance.timeOrigin,
  endedAt: to.getTime() - performance.timeOrigin,
});
