import type { StoredRoute } from '../peek-store.ts';
import { doEdgesServe } from './edges-serve.ts';
import type { Check, Invariant, Problem } from './problem.ts';

const NAME = 'routes are as the store has them, at every edge';

export const areRoutesRight: Invariant = async (check) => {
  const routes = await check.peek.routes();
  return [
    ...areRowsRight(routes),
    ...(await areEdgesUpToDate(check, routes)),
    ...(await doEdgesServe(check.scene, routes)).map(({ about, what }) => problem(about, what)),
  ];
};

const problem = (about: string, what: string): Problem => ({ invariant: NAME, about, what });

/** Who is there is routed by its name to what is live; who is gone has no name. */
export function areRowsRight(routes: readonly StoredRoute[]): Problem[] {
  return routes.flatMap((route) => {
    const { environmentId, subdomain, ownSubdomain, target, liveDeploymentId, isThere, isRouted } = route;
    if (!isThere)
      return subdomain === null ? [] : [problem(environmentId, `it is gone, and is served at ${subdomain}`)];
    if (!isRouted) return [problem(environmentId, 'it is there, and has no route')];
    const routed = target?.deploymentId ?? null;
    return [
      ...(subdomain === ownSubdomain
        ? []
        : [problem(environmentId, `its name is ${ownSubdomain}, ${subdomain} is routed`)]),
      ...(routed === liveDeploymentId
        ? []
        : [problem(environmentId, `${liveDeploymentId} is live, ${routed} is routed`)]),
    ];
  });
}

async function areEdgesUpToDate({ scene, peek }: Check, routes: readonly StoredRoute[]): Promise<Problem[]> {
  const edges = await peek.edges();
  const newest = Math.max(...routes.map(({ version }) => version));
  const count = scene.handle.pids('edge').length;
  return [
    ...(edges.length === count ? [] : [problem('edge', `${edges.length} edges report, ${count} run`)]),
    ...edges
      .filter(({ version }) => version < newest)
      .map(({ name, version }) => problem('edge', `${name} serves version ${version}, the store has ${newest}`)),
  ];
}
