import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../../db/pool.ts';
import { artifactOf, type Route } from '../../../routing/route.ts';
import { readRoutesAfter, reportEdge } from '../../../routing/route-store.ts';

/** Follows the routes as an edge does, and remembers all that it served. */
export interface StandInEdge extends AsyncDisposable {
  /** What it serves by environment. */
  routes: Map<string, Route>;
  /** The artifacts it served for an environment, one after another. */
  served(environmentId: string): string[];
  /** While true it lives, and reads nothing. */
  isLagging: boolean;
}

export function startStandInEdge({ db }: Pick<Store, 'db'>, name = 'edge 1'): StandInEdge {
  const stopping = new AbortController();
  const history: Route[] = [];
  let version = 0;
  const follow = async (): Promise<void> => {
    const changes = edge.isLagging ? [] : await readRoutesAfter(db, version);
    for (const route of changes) {
      edge.routes.set(route.environmentId, route);
      history.push(route);
      version = route.version;
    }
    await reportEdge(db, name, version);
  };
  const edge: StandInEdge = {
    routes: new Map(),
    isLagging: false,
    served: (environmentId) =>
      history.flatMap((route) =>
        route.environmentId === environmentId ? (artifactOf(route.target) ?? []) : [],
      ),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await loop;
    },
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await follow();
      await delay(3);
    }
  })();
  return edge;
}
