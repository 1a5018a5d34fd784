import type { createRouter } from './router.ts';
import type { RouteTable } from './routes/route-table.ts';

/** Whether a host does not lead to this environment, as it did when somebody came by it. */
export type IsStray = (host: string, environmentId: string) => boolean;

export function createIsStray(routeOf: ReturnType<typeof createRouter>, routes: RouteTable): IsStray {
  return (host, environmentId) => {
    const route = routeOf(host);
    return route.kind !== 'app' || routes.environmentAt(route.name) !== environmentId;
  };
}
