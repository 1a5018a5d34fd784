import { sql } from 'kysely';
import { pathsOf } from '../../server/src/config.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { openStore } from '../../server/src/db/pool.ts';
import { run } from '../../server/src/lib/exec.ts';
import type { Route } from '../../server/src/routing/route.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../../server/src/store/embedded-store.ts';
import { ensureStorePassword, storeAddressOf } from '../../server/src/store/store-address.ts';
import { PATH } from './programs.ts';
import { LOAD_CORE } from './cores.ts';

/** What an edge follows: a store with these routes, on the core that is not the edge's. */
export async function startStoreWith(folder: string, routes: readonly Route[]): Promise<{ stop(): Promise<void> }> {
  const paths = pathsOf({ home: folder });
  const password = ensureStorePassword(paths.storePassword);
  const running = await startEmbeddedStore({ directory: paths.store, logFile: `${folder}/store.log`, password });
  await run(['taskset', '-c', '-p', LOAD_CORE, String(running.process.pid)], { env: { PATH } });
  const store = openStore(storeAddressOf({ home: folder, databaseUrl: null }), { max: 1, applicationName: 'bench' });
  const stop = () => stopEmbeddedStore(running.process);
  try {
    await migrate(store.db);
    await sql`
      insert into routes (environment_id, subdomain, target, version)
      select route->>'environmentId', route->>'subdomain', route->'target', nextval('route_versions')
      from jsonb_array_elements(${JSON.stringify(routes)}::jsonb) route`.execute(store.db);
    await sql`vacuum analyze routes`.execute(store.db);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await store.close();
  }
  return { stop };
}
