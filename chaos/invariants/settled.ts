import type { Invariant } from './problem.ts';

const NAME = 'nothing is in a moving state';

/** By the store, and by what the API says. */
export const isSettled: Invariant = async ({ scene, peek }) => {
  const { client, targetOrganisationId } = scene.deployer;
  const moving = await peek.moving();
  const subjects = [scene.site, scene.server, scene.sleeper];
  const unwell = await Promise.all(
    subjects.map(async ({ part, environmentId }) => {
      const { status, trouble } = await client.call('environments.get', {
        body: { targetOrganisationId, environmentId },
      });
      // A deployment that failed leaves it degraded until the next one.
      return ['healthy', 'degraded'].includes(status) && !trouble
        ? []
        : [{ part, what: `it is ${status}: ${trouble}` }];
    }),
  );
  const databases = await Promise.all(
    scene.kept.map(async ({ id, type }) => {
      const { status, error } = await scene.databases.get(id);
      return status === 'healthy' ? [] : [{ part: id, what: `the ${type} database is ${status}: ${error}` }];
    }),
  );
  return [
    ...moving.map((what) => ({ invariant: NAME, about: what.split(' ')[1]!, what })),
    ...[...unwell.flat(), ...databases.flat()].map(({ part, what }) => ({ invariant: NAME, about: part, what })),
  ];
};
