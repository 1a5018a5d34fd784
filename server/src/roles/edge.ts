import { once } from 'node:events';
import { pathsOf } from '../config.ts';
import { createEdge } from '../edge/edge-server.ts';
import { systemClock } from '../lib/clock.ts';
import { PUBLIC_PORT_FD } from '../supervisor/role-messages.ts';
import type { RoleContext, StopRole } from './run-role.ts';

/** Less than the supervisor's patience, so that the last connections are closed and not cut. */
const DRAIN_MS = 2000;

/** The edge serves on its part of the public port, which the supervisor opened. */
export async function startEdge({ config, log }: RoleContext): Promise<StopRole> {
  const edge = createEdge({ config, apiSocket: pathsOf(config).apiSocket, clock: systemClock, log });
  edge.server.listen({ fd: PUBLIC_PORT_FD });
  await once(edge.server, 'listening');
  return () => edge.stop(DRAIN_MS);
}
