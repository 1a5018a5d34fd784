import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, readFolders, startWriting, type Account, type Writer } from './acknowledged-writes.ts';
import { createDeployer, type Application } from './deploying.ts';
import { keepDeploying, type Deploying } from './keep-deploying.ts';
import { findKeysNotMadeOnce, keepMakingKeys, type KeyMaking } from './keep-making-keys.ts';
import { startHosts, type Hosts } from './hosts.ts';
import { describeTally, startLoad, type Load } from './load.ts';
import { runningInstances, until } from './platform.ts';
import { serverApp } from './server-app.ts';
import { findDeploymentTroubles, WATCH_DEPLOYMENTS } from './watch-deployments.ts';
import { WATCH_JOBS } from './watch-jobs.ts';

/**
 * Two hosts with everything on each, on one PostgreSQL and one object store. Each process is killed in turn, then a
 * whole host, then the store, while visitors come to both edges, folders and keys are written through both apis, and
 * releases and changes of scale go on. At the end everything that was acknowledged is there once, and nothing was done
 * twice.
 */
const CONNECTIONS = 4;
const INSTANCES = 2;

let all: Hosts;
let account: Account;
let application: Application;
let first: string;
let writers: Writer[];
/** What was written through a host before it was killed. */
const formerWriters: Writer[] = [];
let loads: Load[];
let deploying: Deploying;
let keys: KeyMaking;

beforeAll(async () => {
  all = await startHosts(2, { LILAC_RATE_LIMIT: '1000000', LILAC_EDGE_PROCESSES: '1' });
  await all.ask(WATCH_JOBS);
  await all.ask(WATCH_DEPLOYMENTS);
  account = await createAccount(all.hosts[0]!);
  const deployer = createDeployer(all.hosts[0]!, account);
  application = await deployer.createFromFiles('Served', serverApp('release 0'), { deploymentType: 'container' });
  first = (await deployer.newest(application)).id;
  await deployer.healthy(first);
  loads = all.hosts.map(({ port }) => visitorsOf(port));
  writers = all.hosts.map(({ url }, index) => startWriting(url, account, `host ${index + 1}`));
  deploying = keepDeploying(() => all.hosts, account, application);
  keys = keepMakingKeys(() => all.hosts, account);
}, 300_000);
afterAll(async () => {
  await deploying?.stop().catch(() => {});
  await keys?.stop();
  await Promise.all([...(writers ?? []), ...(loads ?? [])].map((each) => each.stop()));
  await all?.[Symbol.asyncDispose]();
});

const isRight = ({ status, body }: { status: number; body: string }) => status === 200 && /^release \d/.test(body);

function visitorsOf(port: number): Load {
  const url = `http://${new URL(application.url).hostname}:${port}`;
  return startLoad({ url, connections: CONNECTIONS, pauseMs: 100, isRight });
}

/** Everything that goes on went on since. */
async function allGoOn(): Promise<void> {
  const visits = loads.map(({ tally }) => tally.requests);
  const writes = writers.map(({ acknowledged }) => acknowledged.size);
  const { released } = deploying;
  const releasesBefore = released.length;
  await until('visitors are answered at both edges', () =>
    loads.every((load, at) => load.tally.requests > visits[at]! + 20),
  );
  await until('both apis write', () => writers.every((writer, at) => writer.acknowledged.size >= writes[at]! + 10));
  await until('releases go on', () => released.length > releasesBefore);
}

const failures = () => loads.map(({ tally }) => tally.failures.length);

/** Of each host's visitors, also those who only had to ask once more. */
const noticed = () => loads.map(({ tally }) => tally.failures.length + tally.refused + tally.closed);

describe.each([
  { host: 0, role: 'api' },
  { host: 1, role: 'api' },
  { host: 0, role: 'worker' },
  { host: 1, role: 'worker' },
  { host: 0, role: 'edge' },
  { host: 1, role: 'edge' },
])('kill -9 of $role on host $host', ({ host, role }) => {
  it('is mended, and nobody notices but who was just served by it', async () => {
    const [failedBefore, noticedBefore] = [failures(), noticed()];
    const victim = all.hosts[host]!.pids()[role]![0]!;
    process.kill(victim, 'SIGKILL');
    await until('it is back', () => ![undefined, victim].includes(all.hosts[host]!.pids()[role]?.[0]));
    await allGoOn();
    expect(loads[1 - host]!.tally.failures.slice(failedBefore[1 - host])).toEqual([]);
    expect(noticed()[1 - host]).toBe(noticedBefore[1 - host]);
    const [failed, told] = [failures()[host]! - failedBefore[host]!, noticed()[host]! - noticedBefore[host]!];
    expect(role === 'edge' ? failed : told).toBeLessThanOrEqual(role === 'edge' ? CONNECTIONS : 0);
  });
});

it('goes on without the host that leads, as far as the other can, and wholly when it is back', async () => {
  const before = failures();
  await loads[0]!.stop();
  await writers[0]!.stop();
  await all.kill(0);
  const written = writers[1]!.acknowledged.size;
  await until('the other api writes', () => writers[1]!.acknowledged.size >= written + 40);
  await all.startAgain(0);
  loads[0] = visitorsOf(all.hosts[0]!.port);
  formerWriters.push(writers[0]!);
  writers[0] = startWriting(all.hosts[0]!.url, account, 'host 1 again');
  await allGoOn();
  expect(loads[1]!.tally.failures.slice(before[1])).toEqual([]);
});

it('waits for a store that is restarted; visitors never notice', async () => {
  // Of an edge that ends and comes again few visitors notice anything, so that has to be looked at apart.
  const edges = () => all.hosts.map((host) => host.pids()['edge']);
  const [before, edgesBefore] = [noticed(), edges()];
  await all.restartStore();
  await allGoOn();
  expect(noticed()).toEqual(before);
  expect(edges()).toEqual(edgesBefore);
});

it('has lost nothing and done nothing twice', async () => {
  await deploying.stop();
  await keys.stop();
  for (const writer of writers) await writer.stop();
  const tallies = await Promise.all(loads.map((load) => load.stop()));
  console.log(
    `${deploying.released.length} releases; ${keys.calls.length} keys; ${tallies.map(describeTally).join(' | ')}`,
  );

  // Two of one name the store refuses; of keys it would take them.
  const folders = await readFolders(all.hosts[0]!.url, account);
  const acknowledged = [...writers, ...formerWriters].flatMap((writer) => [...writer.acknowledged]);
  expect(acknowledged.filter((name) => !folders.has(name))).toEqual([]);
  expect(await findKeysNotMadeOnce(all.hosts[0]!, account, keys)).toEqual([]);
  expect(await findDeploymentTroubles(all, { account, application, first, deploying })).toEqual([]);

  expect(await all.ask('select * from job_marks')).toEqual([]);
  await until('there are as many instances as wanted', () => runningInstances(all.hosts[0]!).length === INSTANCES);
  expect(runningInstances(all.hosts[1]!)).toEqual([]);
});
