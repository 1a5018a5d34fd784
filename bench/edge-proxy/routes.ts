import { mkdirSync } from 'node:fs';
import { pathsOf } from '../../server/src/config.ts';
import { writeSnapshot } from '../../server/src/edge/routes/route-snapshot.ts';
import type { Route } from '../../server/src/routing/route.ts';
import { APPS_DOMAIN } from '../edge-static/site.ts';

const ROUTES = 100_000;
const MEASURED = 77_777;
export const HOST = `app-${MEASURED}.${APPS_DOMAIN}`;

/** Many environments of instances, of which one is asked for. */
export async function writeRoutes(folder: string, instancePort: number): Promise<void> {
  const paths = pathsOf({ home: folder });
  mkdirSync(paths.run, { recursive: true });
  const routes = Array.from({ length: ROUTES }, (_, number) => routeOf(number, instancePort));
  await writeSnapshot(paths.routesSnapshot, { version: ROUTES, routes });
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
