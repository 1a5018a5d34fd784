import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

export interface Route {
  /** `GET /api/health`. */
  address: string;
  /** The endpoint of the contract that it says to be. */
  endpoint: string | undefined;
}

/** Every route of the servers that are built meanwhile, whoever adds it: Fastify itself tells of each. */
export async function collectRoutes<Built>(build: () => Promise<Built>): Promise<{ built: Built; routes: Route[] }> {
  const routes: Route[] = [];
  const note = ({ method, url, config }: RouteOptions) => {
    const methods = [method].flat();
    routes.push(...methods.map((each) => ({ address: `${each} ${url}`, endpoint: config?.endpoint })));
  };
  const watch = (message: unknown) => (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', note);
  subscribe(CREATED, watch);
  try {
    return { built: await build(), routes };
  } finally {
    unsubscribe(CREATED, watch);
  }
}

const CREATED = 'fastify.initialization';
