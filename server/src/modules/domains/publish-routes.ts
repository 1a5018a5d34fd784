import type { Tx } from '../../db/pool.ts';
import { publishRoute, type RouteChange } from '../../routing/route-store.ts';

/** The version that edges must reach for all of them; null where there is none. Last in a transaction, as for one. */
export async function publishRoutes(tx: Tx, routes: readonly RouteChange[]): Promise<number | null> {
  let version: number | null = null;
  for (const route of routes) version = await publishRoute(tx, route);
  return version;
}
