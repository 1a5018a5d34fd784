import { join } from 'node:path';
import { serversOf } from '../e2e/database-servers.ts';
import { readConfig } from '../server/src/config.ts';
import { createServerHost } from '../server/src/engines/host/create-server-host.ts';
import { createLog } from '../server/src/lib/log.ts';
import { findRunning, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import type { PlatformHandle } from './platform-handle.ts';

/** Ends everything that runs, and leaves every file where it is: for whoever wants to look. */
export async function putAway(handle: PlatformHandle): Promise<void> {
  await handle.current().stop();
  const host = createServerHost({
    config: readConfig({ LILAC_HOME: handle.home }),
    log: createLog({ level: 'silent', role: 'chaos' }),
  });
  await host.open();
  for (const id of serversOf(handle.home)) {
    await host.kill(id);
    await host.putAway(id);
  }
  await host.close();
  const store = findRunning({ directory: join(handle.home, 'store') });
  if (store) await stopEmbeddedStore(store);
}
