import { join } from 'node:path';
import { ask } from '../ask.ts';
import { isOfPart } from '../words.ts';
import { namesIn } from './left-processes.ts';
import type { Check, Invariant, Problem } from './problem.ts';
import type { StoredRoute } from '../peek-store.ts';

const NAME = 'routes are as the store has them, at every edge';

export const areRoutesRight: Invariant = async (check) => {
  const routes = await check.peek.routes();
  return [...areRowsRight(routes), ...(await areEdgesUpToDate(check, routes)), ...(await doEdgesServe(check, routes))];
};

const problem = (about: string, what: string): Problem => ({ invariant: NAME, about, what });

/** What is routed is what is live; who is gone has no name. */
function areRowsRight(routes: readonly StoredRoute[]): Problem[] {
  return routes.flatMap(({ environmentId, subdomain, target, liveDeploymentId, isThere }) => {
    if (!isThere)
      return subdomain === null ? [] : [problem(environmentId, `it is gone, and is served at ${subdomain}`)];
    const routed = target?.deploymentId ?? null;
    return routed === liveDeploymentId
      ? []
      : [problem(environmentId, `${liveDeploymentId} is live, ${routed} is routed`)];
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

/** Asked at the way in that each edge has for itself: what it answers is what is live. */
async function doEdgesServe({ scene }: Check, routes: readonly StoredRoute[]): Promise<Problem[]> {
  const folder = join(scene.handle.home, 'run', 'edges');
  const found: Problem[] = [];
  for (const subject of [scene.site, scene.server, scene.sleeper]) {
    const live = routes.find(({ environmentId }) => environmentId === subject.environmentId)?.liveDeploymentId;
    const words = scene.ledger.deployments(subject.environmentId).find(({ id }) => id !== null && id === live)?.words;
    for (const name of namesIn(folder)) {
      const answer = await ask({ socketPath: join(folder, name), url: subject.url }).catch(
        (error: Error) => error.message,
      );
      const isRight =
        words === undefined
          ? answer.startsWith('200 ') && isOfPart(subject.part, answer.slice(4))
          : answer === `200 ${words}`;
      if (!isRight)
        found.push(problem(subject.part, `edge ${name} answers "${answer}", and "${words}" (${live}) is live`));
    }
  }
  return found;
}
