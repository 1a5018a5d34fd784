import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../../db/pool.ts';
import { DEMAND_CHANNEL, DRAINED_CHANNEL, type EnvironmentLoad } from '../../../routing/edge-load.ts';
import { artifactOf, type InstancesTarget, type Route } from '../../../routing/route.ts';
import { readRoutesAfter, reportEdge } from '../../../routing/route-store.ts';

/** Follows the routes as an edge does, and remembers all that it served. */
export interface StandInEdge extends AsyncDisposable {
  readonly name: string;
  /** What it serves by environment. */
  routes: Map<string, Route>;
  /** The artifacts it served for an environment, one after another. */
  served(environmentId: string): string[];
  /** What it was told of an environment's instances, one after another. */
  targets(environmentId: string): InstancesTarget[];
  /** While true it lives, and reads nothing. */
  isLagging: boolean;
  /** What it reports. */
  readonly environments: Record<string, EnvironmentLoad>;
  readonly instances: Record<string, number>;
  readonly silent: Record<string, number>;
  /** The version that its last report said. */
  reported(): number;
  /** Says at once that it holds requests. */
  demand(environmentId: string, load: { inFlight?: number; waiting: number }): Promise<void>;
  /** Says at once that the instance has nothing to do any more. */
  tellDrained(instanceId: string): Promise<void>;
}

export function startStandInEdge({ db }: Pick<Store, 'db'>, name = 'edge 1'): StandInEdge {
  const stopping = new AbortController();
  const history: Route[] = [];
  let version = 0;
  let reported = 0;
  const follow = async (): Promise<void> => {
    const changes = edge.isLagging ? [] : await readRoutesAfter(db, version);
    for (const route of changes) {
      edge.routes.set(route.environmentId, route);
      history.push(route);
      version = route.version;
    }
    await reportEdge(
      db,
      name,
      version,
      structuredClone({ environments: edge.environments, instances: edge.instances, silent: edge.silent }),
    );
    reported = version;
  };
  const notify = (channel: string, payload: string) => sql`select pg_notify(${channel}, ${payload})`.execute(db);
  const targetsOf = (id: string) =>
    history.flatMap((route) => (route.environmentId === id ? (route.target ?? []) : []));
  const edge: StandInEdge = {
    name,
    routes: new Map(),
    isLagging: false,
    environments: {},
    instances: {},
    silent: {},
    reported: () => reported,
    served: (environmentId) => targetsOf(environmentId).flatMap((target) => artifactOf(target) ?? []),
    targets: (id) => targetsOf(id).flatMap((target) => (target.kind === 'instances' ? target : [])),
    async demand(environmentId, { inFlight = 0, waiting }) {
      const { requests } = edge.environments[environmentId] ?? { requests: 0 };
      edge.environments[environmentId] = { inFlight, waiting, requests: requests + 1 };
      await notify(DEMAND_CHANNEL, JSON.stringify({ environmentId, edge: name, inFlight, waiting }));
    },
    tellDrained: async (instanceId) => void (await notify(DRAINED_CHANNEL, instanceId)),
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
