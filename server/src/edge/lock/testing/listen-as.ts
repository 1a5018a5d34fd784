import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import type { InstanceAddress } from '../../../routing/route.ts';

/** A server as an instance of this name. */
export async function listenAs(id: string, server: Server): Promise<InstanceAddress> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { id, host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}
