import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Server } from 'node:net';
import { pathsOf, type Config } from '../config.ts';
import { openStore, type Store } from '../db/pool.ts';
import { ApiDirectory } from '../edge/apis/api-directory.ts';
import { createEdgeCertificates } from '../edge/certificates/edge-certificates.ts';
import { createEdge } from '../edge/edge-server.ts';
import { Gates } from '../edge/instances/gates.ts';
import { createPauseGuard } from '../edge/routes/pause-guard.ts';
import { createRouteFeed } from '../edge/routes/route-feed.ts';
import { RouteTable } from '../edge/routes/route-table.ts';
import { SiteLibrary } from '../edge/static/site-library.ts';
import { createTrafficRecorder } from '../edge/traffic/record-traffic.ts';
import { Traffic } from '../edge/traffic/traffic.ts';
import { addTrafficVitals } from '../edge/traffic/traffic-vitals.ts';
import { addressForOthers } from '../lib/address-for-others.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { LineWriter } from '../logs/line-writer.ts';
import { accessCapsOf } from '../logs/rate-cap.ts';
import { MinuteBook } from '../metrics/minute-book.ts';
import { createMinuteWriter } from '../metrics/minute-writer.ts';
import { keepVitals } from '../modules/platform/keep-vitals.ts';
import { edgeNameOf, formerEdgeNamesOf, machineNameOf } from '../routing/edge-names.ts';
import { forgetOverdueEdges } from '../routing/route-store.ts';
import { tellMachine } from '../routing/tell-machine.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { storeAddressOf } from '../store/store-address.ts';
import { PUBLIC_PORT_FD, TLS_PORT_FD } from '../supervisor/role-messages.ts';
import { openEdgeCache } from '../wire/edge-cache.ts';
import { openEdgeKeyring } from './open-role-keyring.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 2;
/** What an edge asks for all the time it asks on the connection that it listens on. */
const IDLE_CONNECTION_MS = 2000;
/** Less than the supervisor's patience, so that the last connections are closed and not cut. */
const DRAIN_MS = 2000;
/** An edge starts without the store, but a store that is there is worth a moment. */
const STORE_PATIENCE_MS = 1500;
/** By then an edge that was here before, and has another name, counts as silent. */
const FORGET_FORMER_MS = 15_000;

/**
 * The edge serves on its part of the public ports, which the supervisor opened. It does not need the store for that.
 */
export async function startEdge(context: RoleContext): Promise<StopRole> {
  const { config, log, place } = context;
  const paths = pathsOf(config);
  const store = openStore(storeAddressOf(config), {
    max: CONNECTIONS,
    applicationName: 'edge',
    idleMs: IDLE_CONNECTION_MS,
  });
  const routes = new RouteTable();
  const isStoreThere = await isUpToDateSoon(context, store);
  // One that did not answer is not waited for a second time.
  const keyring = await openEdgeKeyring(context, store, isStoreThere ? STORE_PATIENCE_MS : 0);
  const objectCache = await openEdgeCache({ config, place, clock: systemClock });
  const sites = new SiteLibrary({ root: paths.objects, cache: objectCache });
  // A killed edge's successor takes its place at once, so that no release waits for one that is gone.
  const name = edgeNameOf(config, place);
  const address = { bind: addressForOthers(config.bind, config.runtime.clusterRange), port: config.port };
  const gates = new Gates({ routes });
  const certificates = openCertificates({ config, store, keyring, routes, log });
  // Hosts that share a store share no machine: an embedded one is this machine's alone.
  const elsewhere =
    config.databaseUrl === null ? undefined : new ApiDirectory({ store, keyring, apiSocket: paths.apiSocket, log });
  const followers = [certificates?.feed, elsewhere].filter((follower) => follower !== undefined);
  const follow = { store, name, address, snapshotPath: paths.routesSnapshot, followers, log };
  const feed = createRouteFeed({ ...follow, table: routes, sites, gates });
  await Promise.all([feed.start(), certificates?.feed.start()]);
  const pauses = createPauseGuard(() => {
    log.warn('This edge was stopped for a while: another one takes its place');
    process.exit(1);
  });
  routes.guard(() => pauses.check());
  const [traffic, book] = [new Traffic(), new MinuteBook()];
  const collect = createTrafficRecorder(traffic, book);
  const metrics = createMinuteWriter({ store, book, collect, clock: systemClock, log });
  const caps = accessCapsOf(config.logCaps);
  const accessLog = new LineWriter({ db: store.db, clock: systemClock, log, caps });
  const https = certificates ? { names: certificates.names, port: config.tls.port! } : undefined;
  const parts = { elsewhere, routes, sites, objectCache, https, gates, traffic, accessLog };
  const edge = createEdge({ config, paths, place, ...parts, clock: systemClock, log });
  await listen(edge.server, PUBLIC_PORT_FD);
  if (edge.tlsServer) await listen(edge.tlsServer, TLS_PORT_FD);
  elsewhere?.start();
  setTimeout(() => {
    // What stays is swept in a day; until then releases look out for it a little.
    forgetOverdueEdges(store.db, formerEdgeNamesOf(config)).catch(() => {});
  }, FORGET_FORMER_MS).unref();
  metrics.start();
  addTrafficVitals(traffic, gates);
  const stopVitals = keepVitals({ db: store.db, log, config, role: 'edge', place });
  // All edges of a host see the same.
  const stopTelling = place === 0 ? tellMachine({ store, name: machineNameOf(config, 'edge'), log }) : () => {};
  return async () => {
    stopVitals();
    stopTelling();
    pauses.stop();
    elsewhere?.stop();
    // It follows the routes as long as it answers.
    await edge.stop(DRAIN_MS);
    await Promise.all([feed.stop(), certificates?.feed.stop(), metrics.stop(), accessLog.close()]);
    await store.close();
  };
}

/** On a host of its own nobody else may bring it up to date. An embedded store has its api and worker beside. */
async function isUpToDateSoon(context: RoleContext, store: Store): Promise<boolean> {
  if (context.config.databaseUrl === null) return true;
  const { bringUpToDateSoon } = await import('./open-role-store.ts');
  return bringUpToDateSoon(store, context, STORE_PATIENCE_MS);
}

interface CertificatesOptions {
  config: Config;
  store: Store;
  keyring: Keyring;
  routes: RouteTable;
  log: Log;
}

/** Null: the supervisor has opened no port for https. */
function openCertificates({ config, store, keyring, routes, log }: CertificatesOptions) {
  if (config.tls.port === null || !fstatSync(TLS_PORT_FD).isSocket()) return null;
  const { certificatesSnapshot: snapshotPath } = pathsOf(config);
  return createEdgeCertificates({ config, store, keyring, routes, snapshotPath, clock: systemClock, log });
}

async function listen(server: Server, fd: number): Promise<void> {
  server.listen({ fd });
  await once(server, 'listening');
}
