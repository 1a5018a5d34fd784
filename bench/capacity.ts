/**
 * What does one more environment, and one more edge, cost the parts that everybody shares? Unit costs for
 * docs/capacity.md: the memory of a route in an edge, the reading of all of them when an edge starts, the
 * telling of one change to many edges, the reports of many and the leader's reading of them, the worker's look at every environment that has a server,
 * and what it costs a worker to begin to lead. No bars: they tell where the limits are.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { readConfig } from '../server/src/config.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore } from '../server/src/db/pool.ts';
import { RouteTable } from '../server/src/edge/routes/route-table.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { silentLog } from '../server/src/lib/log.ts';
import { createFleet, FLEET_CHANNELS } from '../server/src/modules/instances/create-fleet.ts';
import { readOutlines } from '../server/src/modules/instances/fleet-store.ts';
import { createStandInRuntime } from '../server/src/modules/instances/testing/stand-in-runtime.ts';
import { createChannelHub } from '../server/src/routing/channel-hub.ts';
import type { Route } from '../server/src/routing/route.ts';
import {
  publishRoute,
  readEdgeLoads,
  readRoutesAfter,
  reportEdge,
  ROUTES_CHANNEL,
} from '../server/src/routing/route-store.ts';
import { openKeyring } from '../server/src/secrets/key-file.ts';
import { dataDirectoryOf, startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { seedEnvironments } from './metrics/seed.ts';
import { storeSeconds } from './metrics/store-time.ts';

const ENVIRONMENTS = 50_000;
const EDGES = [1, 10, 40];
const CHANGES = roundsOf(200);
const LOOKS = roundsOf(5);
const REPORTING = 1000;
const REPORTS = roundsOf(2000);
/** Environments that an edge has requests of. */
const VISITED = 30;
const READINGS = roundsOf(20);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const home = scratchFolder('capacity');
const options = { directory: join(home, 'store'), logFile: join(home, 'store.log'), password: 'only-for-the-bench' };
const running = await startEmbeddedStore(options);
const address = { kind: 'socket', directory: dataDirectoryOf(options), password: options.password } as const;
const store = openStore(address, { max: 2, applicationName: 'bench' });
try {
  await migrate(store.db);
  const ids = await seedEnvironments(store.db, ENVIRONMENTS);
  await seedServers(ids);
  await measureRoutes();
  await measureChanges(ids);
  await measureReports();
  await measureReading();
  await measureLooks();
  await measureStart();
} finally {
  await store.close();
  await stopEmbeddedStore(running.process);
}

/** Every one of them has a server that is asleep, and a route that says so. */
async function seedServers(ids: readonly string[]): Promise<void> {
  const target = { kind: 'instances', instances: [], concurrency: 80, maxInstances: 5, outage: null, probe: null };
  await sql`
    insert into deployments (id, organisation_id, application_id, environment_id, status, run)
    select replace(id, 'env', 'dep'), 'org_bench', 'app_bench', id, 'healthy', '{"port":3000}'::jsonb
    from unnest(${ids}::text[]) id`.execute(store.db);
  await sql`
    update environments
    set live_deployment_id = replace(id, 'env', 'dep'), min_instances = 0, max_instances = ${target.maxInstances}`.execute(
    store.db,
  );
  await sql`
    insert into routes (environment_id, subdomain, target, version)
    select id, replace(id, '_', '-'),
      ${JSON.stringify(target)}::jsonb || jsonb_build_object('deploymentId', replace(id, 'env', 'dep')),
      nextval('route_versions')
    from unnest(${ids}::text[]) id`.execute(store.db);
  await sql`vacuum analyze`.execute(store.db);
}

async function measureRoutes(): Promise<void> {
  collect();
  const before = process.memoryUsage().heapUsed;
  const table = new RouteTable();
  const cpu = await cpuOf(async () => table.replaceAll(await readRoutesAfter(store.db, 0)));
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / table.size;
  console.log(
    `a start reads ${table.size} routes in ${seconds(cpu.ours)} of the edge's and ${seconds(cpu.store)} of the store's processor time`,
  );
  report({ name: 'a route in every edge', unit: 'bytes', ours: bytes });
  const micros = (1e6 * (cpu.ours + cpu.store)) / table.size;
  report({ name: "processor time of an edge's and the store's for a route when it starts", unit: 'µs', ours: micros });
}

/** From the call that publishes to the last of so many that have heard of it and read what changed. */
async function measureChanges(ids: readonly string[]): Promise<void> {
  for (const count of EDGES) {
    const edges = await Promise.all(Array.from({ length: count }, openEdge));
    const took: number[] = [];
    const cpu = await cpuOf(async () => {
      for (let change = 0; change < CHANGES; change++) {
        const environmentId = ids[change]!;
        const heard = edges.map((edge) => edge.next());
        const begun = performance.now();
        await store.db
          .transaction()
          .execute((tx) => publishRoute(tx, { environmentId, subdomain: `moved-${count}-${change}` }));
        await Promise.all(heard);
        took.push(performance.now() - begun);
      }
    });
    console.log(`a change, ${count} edges: ${median(took).toFixed(1)} ms until the last has it`);
    const cost = (1000 * cpu.store) / CHANGES;
    report({ name: `the store's processor time to tell ${count} edges of a change`, unit: 'ms', ours: cost });
    await Promise.all(edges.map((edge) => edge.close()));
  }
}

function nameOf(edge: number): string {
  return `edge ${edge}`;
}

/** As an edge does that has counted the others, and as one that has them counted: which it does now and then. */
async function measureReports(): Promise<void> {
  for (let edge = 0; edge < REPORTING; edge++) await reportEdge(store.db, nameOf(edge), 0);
  for (const knownEdges of [REPORTING, undefined]) {
    const cpu = await cpuOf(async () => {
      for (let count = 0; count < REPORTS; count++) {
        await reportEdge(store.db, { name: nameOf(count % REPORTING), knownEdges }, count);
      }
    });
    const who = `one of ${REPORTING} edges that ${knownEdges === undefined ? 'has them counted' : 'has counted them'}`;
    const cost = (1000 * cpu.store) / REPORTS;
    report({ name: `the store's processor time for a report of ${who}`, unit: 'ms', ours: cost });
  }
}

/** All edges have requests of some environments. Once all of their reports are new, and once none is. */
async function measureReading(): Promise<void> {
  const visited = Array.from({ length: VISITED }, (_, index) => `env_visited_at_that_edge_${index}`);
  const load = {
    environments: Object.fromEntries(visited.map((id) => [id, { inFlight: 1, waiting: 0, requests: 1000 }])),
    instances: Object.fromEntries(visited.map((id) => [id.replace('env', 'ins'), 1])),
    silent: {},
  };
  const write = async (count: number) => {
    const edges = Array.from({ length: count }, (_, edge) => ({ name: nameOf(edge), knownEdges: REPORTING }));
    for (const edge of edges) await reportEdge(store.db, edge, 0, load);
  };
  await write(REPORTING);
  for (const count of [REPORTING, 0]) {
    let known = await readEdgeLoads(store.db);
    const costs = { ours: [] as number[], store: [] as number[] };
    for (let look = 0; look < READINGS; look++) {
      await write(count);
      const cpu = await cpuOf(async () => (known = await readEdgeLoads(store.db, known)));
      costs.ours.push(cpu.ours);
      costs.store.push(cpu.store);
    }
    const which = count === 0 ? 'none of which is new' : 'all of which are new';
    console.log(
      `the leader reads ${REPORTING} reports, ${which}: ${meanMs(costs.store).toFixed(1)} ms of the store's time`,
    );
    report({
      name: `the leader's processor time to read ${REPORTING} reports of ${VISITED} environments each, ${which}`,
      unit: 'ms',
      ours: meanMs(costs.ours),
    });
  }
}

async function openEdge() {
  const edge = openStore(address, { max: 1, applicationName: 'edge' });
  const client = edge.newClient();
  await client.connect();
  await client.query(`listen ${ROUTES_CHANNEL}`);
  let version = (await readRoutesAfter(edge.db, 0)).at(-1)?.version ?? 0;
  return {
    async next(): Promise<Route[]> {
      await once(client, 'notification');
      const routes = await readRoutesAfter(edge.db, version);
      version = routes.at(-1)?.version ?? version;
      return routes;
    },
    async close() {
      await client.end();
      await edge.close();
    },
  };
}

async function measureLooks(): Promise<void> {
  const costs = { ours: [] as number[], store: [] as number[] };
  for (let look = 0; look < LOOKS; look++) {
    const cpu = await cpuOf(() => readOutlines(store.db, []));
    costs.ours.push(cpu.ours);
    costs.store.push(cpu.store);
  }
  console.log(
    `the worker's look: ${seconds(median(costs.ours))} of its own, ${seconds(median(costs.store))} of the store's`,
  );
  report({
    name: `processor time of the worker's look at ${ENVIRONMENTS} environments, the store's with it`,
    unit: 's',
    ours: median(costs.ours) + median(costs.store),
  });
}

/** From the moment in which another worker leads to its first look, with everybody asleep. */
async function measureStart(): Promise<void> {
  collect();
  const before = process.memoryUsage().heapUsed;
  await using runtime = createStandInRuntime();
  const fleet = createFleet({
    store,
    channels: createChannelHub(store, FLEET_CHANNELS),
    config: readConfig({ LILAC_HOME: home }),
    runtime,
    keyring: openKeyring(join(home, 'keyring.json')),
    clock: systemClock,
    log: silentLog,
  });
  const begun = performance.now();
  const cpu = await cpuOf(() => fleet.start());
  const took = (performance.now() - begun) / 1000;
  collect();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1024 ** 2;
  console.log(
    `a leader begins: ${seconds(took)}, ${seconds(cpu.ours)} of its own processor time, ${seconds(cpu.store)} of the store's, ` +
      `${megabytes.toFixed(1)} MB for ${fleet.inMind()} environments in mind`,
  );
  report({
    name: `processor time of a worker that begins to lead ${ENVIRONMENTS} environments, all asleep, the store's with it`,
    unit: 's',
    ours: cpu.ours + cpu.store,
  });
  await fleet.stop();
}

async function cpuOf(work: () => Promise<unknown>): Promise<{ ours: number; store: number }> {
  const [own, theirs] = [process.cpuUsage(), storeSeconds(running.process.pid)];
  await work();
  const { user, system } = process.cpuUsage(own);
  return { ours: (user + system) / 1e6, store: storeSeconds(running.process.pid) - theirs };
}

function meanMs(values: readonly number[]): number {
  return (1000 * values.reduce((sum, value) => sum + value, 0)) / values.length;
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
