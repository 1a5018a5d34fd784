import type { Demand } from '../../../routing/edge-load.ts';
import type { InstanceAddress, InstancesTarget, Route } from '../../../routing/route.ts';
import type { EdgeError } from '../../answer.ts';
import { RouteTable } from '../../routes/route-table.ts';
import type { ExchangeOutcome, Place, Waiter } from '../gate.ts';
import { Gates, type GatesOptions } from '../gates.ts';

export const fine: ExchangeOutcome = { status: 200, ms: 3, bytesIn: 100, bytesOut: 2000 };

/** Somebody who waits, and what came of it. */
export class TestWaiter implements Waiter {
  place: Place | null = null;
  error: EdgeError | null = null;
  /** In the order of their turns. */
  static readonly served: TestWaiter[] = [];
  calls = 0;

  onPlace(place: Place): void {
    this.calls++;
    this.place = place;
    TestWaiter.served.push(this);
  }

  onRefused(error: EdgeError): void {
    this.calls++;
    this.error = error;
  }
}

export const addressOf = (id: string): InstanceAddress => ({ id, host: '127.0.0.1', port: 9 });

export function instancesOf(ids: string[], rest: Partial<InstancesTarget> = {}): InstancesTarget {
  const instances = ids.map(addressOf);
  const usual = { concurrency: 2, maxInstances: 4, outage: null, probe: null } as const;
  return { kind: 'instances', deploymentId: 'dep_1', instances, ...usual, ...rest };
}

function routeOf(target: Route['target'], environmentId = 'env_1'): Route {
  return {
    environmentId,
    subdomain: environmentId.replace('_', '-'),
    target,
    lock: null,
    accessLog: false,
    domain: null,
    atSubdomain: true,
    version: 1,
  };
}

/** A gate behind a table of routes, as in an edge, with nobody behind it. */
export function createGateRig(target: InstancesTarget, options: Partial<GatesOptions> = {}) {
  const routes = new RouteTable();
  routes.replaceAll([routeOf(target)]);
  const listening = new Set<string>();
  const tried: string[] = [];
  const gates = new Gates({
    routes,
    tryConnect: ({ id }) => {
      tried.push(id);
      return Promise.resolve(listening.has(id));
    },
    ...options,
  });
  const demands: Omit<Demand, 'edge'>[] = [];
  const drained: string[] = [];
  gates.tell({ demand: (demand) => demands.push(demand), drained: (id) => drained.push(id) });
  const gate = gates.of('env_1', target);
  const take = (probe?: string) => {
    const waiter = new TestWaiter();
    gate.take(waiter, probe);
    return waiter;
  };
  const publish = (next: Route['target']) => routes.set(routeOf(next));
  return { routes, gates, gate, take, publish, demands, drained, listening, tried };
}
