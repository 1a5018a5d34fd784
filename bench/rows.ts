/**
 * How many rows does the platform write for an environment in a minute? Servers that sleep, that run and are not
 * visited, and that are visited all the time, each for some minutes; what the platform writes without any is taken off.
 * Unit costs for docs/capacity.md, no bar. Arguments: [minutes of each].
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer, visit, type Application } from '../e2e/deploying.ts';
import { runningInstances, startPlatform, until } from '../e2e/platform.ts';
import { serverApp } from '../e2e/server-app.ts';
import { openStore } from '../server/src/db/pool.ts';
import { storeAddressOf } from '../server/src/store/store-address.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { wordsGiven } from './measuring/words-given.ts';

const ENVIRONMENTS = 5;
const PAUSE_MS = 250;
const [minutes = roundsOf(2)] = wordsGiven().map(Number);

type Rows = ReadonlyMap<string, number>;

await using platform = await startPlatform({
  env: {
    LILAC_RATE_LIMIT: '1000000',
    LILAC_LOG_LEVEL: 'warn',
    LILAC_EDGE_PROCESSES: '1',
    LILAC_IDLE_TO_ZERO_AFTER: '2s',
    LILAC_SCALE_DOWN_AFTER: '1s',
  },
});
const store = openStore(storeAddressOf({ home: platform.home, databaseUrl: null }), {
  max: 1,
  applicationName: 'bench',
});
const deployer = createDeployer(platform, await createAccount(platform));
const empty = await rowsOfAMinute(() => delay(1000));
tell('without any environment, in all', empty, 1);

const applications: Application[] = [];
for (let number = 0; number < ENVIRONMENTS; number++) applications.push(await create(`Server ${number}`));
await until('they sleep', () => runningInstances(platform).length === 0);
tell('for an environment that sleeps', lessThan(await rowsOfAMinute(() => delay(1000)), empty), ENVIRONMENTS);

await Promise.all(applications.map(keepAwake));
await until('they run', () => runningInstances(platform).length === ENVIRONMENTS);
tell('for one that runs and is not visited', lessThan(await rowsOfAMinute(() => delay(1000)), empty), ENVIRONMENTS);
const visited = await rowsOfAMinute(() => Promise.all([...applications.map(({ url }) => visit(url)), delay(PAUSE_MS)]));
tell('for one that is visited four times a second', lessThan(visited, empty), ENVIRONMENTS);
await store.close();

async function create(name: string): Promise<Application> {
  const application = await deployer.createFromFiles(name, serverApp(name), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  return application;
}

async function keepAwake({ environmentId }: Application): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  await client.call('environments.scale', { body: { targetOrganisationId, environmentId, minInstances: 1 } });
}

/** What was written while something goes on, by table. What went before has its time to be written down first. */
async function rowsOfAMinute(goOn: () => Promise<unknown>): Promise<Rows> {
  await repeat(goOn, 0.5);
  const before = await readRows();
  await repeat(goOn, minutes);
  const after = await readRows();
  return new Map([...after].map(([table, rows]) => [table, (rows - (before.get(table) ?? 0)) / minutes]));
}

async function repeat(goOn: () => Promise<unknown>, forMinutes: number): Promise<void> {
  const until = performance.now() + forMinutes * 60_000;
  while (performance.now() < until) await goOn();
}

/** Partitions count for the table they are of. */
async function readRows(): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; written: number }>`
    select coalesce(inhparent::regclass::text, relname) as name,
      sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 as written
    from pg_stat_user_tables left join pg_inherits on inhrelid = relid
    group by 1`.execute(store.db);
  return new Map(rows.map(({ name, written }) => [name, written]));
}

function lessThan(rows: Rows, taken: Rows): Rows {
  return new Map([...rows].map(([table, count]) => [table, count - (taken.get(table) ?? 0)]));
}

function tell(what: string, rows: Rows, environments: number): void {
  const each = [...rows].map(([table, count]) => ({ table, count: count / environments }));
  const most = each.filter(({ count }) => Math.abs(count) >= 0.1).toSorted((left, right) => right.count - left.count);
  const total = each.reduce((sum, { count }) => sum + count, 0);
  const named = most.slice(0, 8).map(({ table, count }) => `${table} ${count.toFixed(1)}`);
  console.log(`${what}: ${named.join(', ')}`);
  report({ name: `rows written ${what}`, unit: 'rows/minute', ours: total });
}
