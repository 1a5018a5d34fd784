import type { Route } from '../../server/src/routing/route.ts';
import { APPS_DOMAIN } from '../edge-static/site.ts';

const ROUTES = 100_000;
const MEASURED = 77_777;
export const HOST = `app-${MEASURED}.${APPS_DOMAIN}`;

/** Many environments of instances, of which one is asked for. */
export function manyRoutes(instancePort: number): Route[] {
  return Array.from({ length: ROUTES }, (_, number) => routeOf(number, instancePort));
}

function routeOf(number: number, port: number): Route {
  return {
    environmentId: `env_${number}`,
    subdomain: `app-${number}`,
    target: {
      kind: 'instances',
      deploymentId: `dep_${number}`,
      instances: [{ id: `ins_${number}`, host: '127.0.0.1', port }],
      concurrency: 80,
      maxInstances: 1,
      outage: null,
      probe: null,
    },
    lock: null,
    accessLog: false,
    domain: null,
    atSubdomain: true,
    version: number + 1,
  };
}
