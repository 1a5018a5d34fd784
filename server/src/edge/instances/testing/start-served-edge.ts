import type { ServerResponse } from 'node:http';
import type { InstanceAddress, InstancesTarget, Route } from '../../../routing/route.ts';
import { startTestEdge, type ApiStandIn } from '../../../testing/start-test-edge.ts';
import { instancesOf } from './gate-rig.ts';

/** Of the one environment that such an edge has. */
export const host = 'shop.apps.test';

/** An edge with one environment; `publish` is what the fleet does. */
export async function startServedEdge(
  options: Parameters<typeof startTestEdge>[1] = {},
  api: ApiStandIn | null = null,
) {
  const edge = await startTestEdge(api, { holdMs: 50, ...options });
  const demands: { waiting: number }[] = [];
  const drained: string[] = [];
  edge.gates.tell({ demand: (demand) => demands.push(demand), drained: (id) => drained.push(id) });
  const publish = (
    instances: readonly InstanceAddress[],
    { lock = null, accessLog = false, ...rest }: Partial<InstancesTarget & Pick<Route, 'lock' | 'accessLog'>> = {},
  ) => {
    const target = { ...instancesOf([], { concurrency: 50 }), ...rest, instances };
    edge.routes.set({
      environmentId: 'env_1',
      subdomain: 'shop',
      target,
      lock,
      accessLog,
      domain: null,
      atSubdomain: true,
      version: 1,
    });
  };
  const get = (path = '/', headers = {}) => edge.call({ path, host, headers });
  const getMany = (count: number) => Promise.all(Array.from({ length: count }, () => get()));
  return { ...edge, demands, drained, publish, get, getMany };
}

/** Answers when it is told to. */
export function heldAnswers() {
  const held: ServerResponse[] = [];
  return { held, handler: (_request: unknown, response: ServerResponse) => held.push(response) };
}
