#!/usr/bin/env node
/**
 * Follows docs/more-than-one-machine.md on one machine: three engines of Docker, in networks of their own, form a
 * swarm, and beside it are a PostgreSQL and an object store. Lilac is installed as a stack, by `lilac.yml` as it is, or
 * as a program of each machine. Then an application writes into a managed database, a service of its own, which runs on
 * while its keeper is replaced, and whose machine is started again; another application is asked for at every machine
 * while the platform is replaced machine by machine, and one machine is lost. With another away, no manager decides
 * anything, and the database outlasts that, too. At last it is deleted. Ends with 1 where anything is not as the
 * document says. Needs root, what the tests need, and a quarter of an hour:
 *
 *   node deploy/swarm/try-it.mjs stack
 *   node deploy/swarm/try-it.mjs hosts
 *
 * Add `first`, and only the loss of the first machine is tried: it leads the swarm, and keeps instances and databases.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeployer } from '../../e2e/deploying.ts';
import { until } from '../../e2e/platform.ts';
import { serverApp } from '../../e2e/server-app.ts';
import { howBusy, judgeLoss } from '../../server/src/testing/docker/judge-loss.ts';
import { startSwarm } from '../../server/src/testing/docker/start-swarm.ts';
import { deleteDatabase, loseManagers, stateOfDatabase, troubleDatabases } from './try/databases.mjs';
import { installHosts } from './try/hosts.mjs';
import { keepNotes } from './try/notes.mjs';
import { startOutside } from './try/outside.mjs';
import { docker } from './try/run.mjs';
import { installStack } from './try/stack.mjs';
import { callMachine, describeTally, loadMachines } from './try/visitors.mjs';

const ways = { stack: installStack, hosts: installHosts };
const way = ways[process.argv[2] ?? 'stack'];
if (!way) throw new Error('Say how to install it: stack or hosts.');
const isFirstLost = process.argv[3] === 'first';

const begun = performance.now();
const say = (text) => console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

await using stack = new AsyncDisposableStack();
let platform;
try {
  await tryIt();
  say('all is as the document says');
} catch (error) {
  // Before all is tidied away, which takes a while.
  console.error(error);
  console.error(await platform?.describe().catch(String));
  process.exitCode = 1;
}

async function tryIt() {
  const trial = await install();
  if (isFirstLost) return loseFirst(trial);
  trial.notes = await keepNotes(trial);
  say(`an application has written ${trial.notes.count} rows into a managed database`);
  await troubleDatabases(trial);
  await deployApplication(trial);
  await replacePlatform(trial);
  await loseMachine(trial, await followerIn(trial));
  await trial.notes.areThere(trial.nodes[0]);
  await releaseNext(trial);
  await loseManagers(trial);
  await deleteDatabase(trial);
}

/** Databases are away with it, and everything else goes on. */
async function loseFirst(trial) {
  await deployApplication(trial);
  await loseMachine(trial, trial.nodes[0]);
  await releaseNext({ ...trial, deployer: createDeployer({ url: `http://${trial.nodes[0].address}` }, trial.account) });
}

/** A swarm, what is outside, and Lilac on all of it. */
async function install() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-try-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { nodes, network, manager } = stack.use(await startSwarm({ nodes: 3 }));
  for (const { ID, ManagerStatus } of await manager.listNodes()) {
    if (!ManagerStatus) await docker(nodes[0], ['node', 'promote', ID]);
  }
  say('three machines form a swarm');
  const outside = stack.use(await startOutside(network.addressOf(1), folder));
  const settings = {
    LILAC_PUBLIC_URL: 'http://lilac.test',
    LILAC_APPS_DOMAIN: 'apps.test',
    LILAC_CLUSTER_RANGE: network.range,
    LILAC_ACME_DIRECTORY: 'off',
    LILAC_RATE_LIMIT: '1000000',
    LILAC_EDGE_PROCESSES: '1',
    ...outside.s3Settings,
  };
  platform = stack.use(await way({ nodes, settings, outside, folder, say }));
  say('the platform runs on all of them');
  const url = `http://${nodes[0].address}`;
  const account = await createKey(createDeployer({ url }, await createAccount(platform)));
  const deployer = createDeployer({ url }, account);
  return { nodes, platform, account, deployer, say };
}

/** Three instances of it, which every machine serves. */
async function deployApplication(trial) {
  const { nodes, deployer } = trial;
  const application = await deployer.createFromFiles('Tried', serverApp('it works'), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  trial.application = application;
  say('an application is deployed');
  const { targetOrganisationId, client } = deployer;
  const wanted = { environmentId: application.environmentId, minInstances: 3, maxInstances: 3 };
  await client.call('environments.scale', { body: { targetOrganisationId, ...wanted } });
  await everyMachineServes(trial);
  await until('three instances serve', async () => (await instancesAt(trial, nodes[0])).size === 3);
  say('its three instances are served by every machine');
}

/** Whoever goes on to the next machine while one takes no connections notices nothing. */
async function replacePlatform(trial) {
  const { nodes, platform, application, notes } = trial;
  const addresses = nodes.map(({ address }) => address);
  const before = await stateOfDatabase(trial);
  const load = loadMachines(addresses, { url: application.url, words: 'it works' });
  await platform.replaceAll();
  await everyMachineServes(trial);
  const tally = await load.end();
  say(`the platform was replaced, one machine after another; visitors meanwhile: ${describeTally(tally)}`);
  assert.deepEqual(tally.failures, [], 'Visitors were turned away while the platform was replaced.');
  await notes.areThere(nodes[0]);
  assert.deepEqual(await stateOfDatabase(trial), before, 'The database was replaced with the platform.');
  say('the server of the database ran on, its client is still connected, and the rows are there');
}

/** A machine that neither leads the swarm nor keeps the databases, and is not the one whose API is asked. */
async function followerIn({ nodes, platform }) {
  for (const node of nodes.slice(1)) {
    if (node === platform.keeper) continue;
    const isLeader = await docker(node, ['node', 'inspect', '--format', '{{.ManagerStatus.Leader}}', 'self']);
    if (isLeader === 'false') return node;
  }
  throw new Error('Whatever machine could be lost leads the swarm.');
}

/** Afterwards there are only the others. */
async function loseMachine(trial, lost) {
  const { nodes, application } = trial;
  const left = nodes.filter((node) => node !== lost);
  const before = await instancesAt(trial, left[0]);
  assert.equal(before.size, 3);
  const busyBefore = howBusy();
  const visitors = { url: application.url, path: '/slow', words: 'it works' };
  const loads = left.map(({ address }) => loadMachines([address], visitors));
  await until('visitors come', () => loads.every(({ tally }) => tally.requests > 20));
  const inFlight = loads.reduce((sum, load) => sum + load.inFlight(), 0);
  const lostAt = performance.now();
  await lost.kill();
  await until('three instances serve again', async () => {
    const now = await instancesAt(trial, left[0]);
    return now.size === 3 && [...now].some((id) => !before.has(id));
  });
  const tookMs = performance.now() - lostAt;
  say(`a machine was lost, and ${seconds(tookMs)} later three instances serve again`);
  const tallies = await Promise.all(loads.map((load) => load.end()));
  for (const tally of tallies) say(`  ${describeTally(tally)}`);
  const failed = tallies.reduce((sum, { failures }) => sum + failures.length, 0);
  say(`  ${inFlight} requests were under way on three machines when it was lost, ${failed} failed`);
  assert(failed <= inFlight, 'More requests failed than were under way.');
  judgeTime(tookMs, busyBefore);
  trial.nodes = left;
}

function judgeTime(tookMs, busyBefore) {
  if (isFirstLost) return say('  the time is not judged: managers elect another leader before they replace anything');
  const { isInTime, said } = judgeLoss(tookMs, busyBefore);
  say(`  ${said}`);
  assert(isInTime, `Too late: ${said}.`);
}

async function releaseNext(trial) {
  const { nodes, deployer, application } = trial;
  await deployer.healthy(await deployer.deploy(application, serverApp('it still works')));
  const visitNext = () => visitAt(trial, nodes.at(-1));
  await until('the next release is served', async () => (await visitNext()).body === 'it still works');
  say('a release after that is served too');
}

function visitAt({ application }, node, path = '/') {
  return callMachine(node.address, application.url, path);
}

async function everyMachineServes(trial) {
  for (const node of trial.nodes) {
    const visit = () => visitAt(trial, node).catch(() => null);
    await until(`${node.address} answers`, async () => (await visit())?.body === 'it works');
  }
}

async function instancesAt(trial, node) {
  const visit = () => visitAt(trial, node, '/instance').catch(() => null);
  const answers = await Promise.all(Array.from({ length: 20 }, visit));
  return new Set(answers.filter((answer) => answer?.status === 200).map(({ body }) => body));
}

async function createAccount(platform) {
  const email = ['--email', 'ada@example.org', '--json'];
  const owner = ['--password', 'a long pass phrase', '--organisation', 'Acme', '--plan', 'pro'];
  await platform.lilac('admin', 'owner', 'create', ...email, ...owner);
  return JSON.parse(await platform.lilac('admin', 'session', 'create', ...email));
}

/** A session lasts for a quarter of an hour, and this may take longer. */
async function createKey({ client, targetOrganisationId }) {
  const body = { targetOrganisationId, name: 'Trial', role: 'admin' };
  return { token: (await client.call('api-keys.create', { body })).secret, organisationId: targetOrganisationId };
}
