#!/usr/bin/env node
/**
 * Follows docs/more-than-one-machine.md on one machine: three engines of Docker, in networks of their own, form a swarm,
 * and beside it are a PostgreSQL and an object store. Lilac is installed as a stack, by `lilac.yml` as it is, or as a
 * program of each machine. Then an application is deployed and asked for at every machine, the platform is replaced
 * machine by machine, and one machine is lost, under load. Needs root, what the tests need, and some minutes:
 *
 *   node deploy/swarm/try-it.mjs stack
 *   node deploy/swarm/try-it.mjs hosts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeployer } from '../../e2e/deploying.ts';
import { until } from '../../e2e/platform.ts';
import { serverApp } from '../../e2e/server-app.ts';
import { startSwarm } from '../../server/src/testing/docker/start-swarm.ts';
import { installHosts } from './try/hosts.mjs';
import { startOutside } from './try/outside.mjs';
import { docker } from './try/run.mjs';
import { installStack } from './try/stack.mjs';
import { callMachine, loadMachine } from './try/visitors.mjs';

const ways = { stack: installStack, hosts: installHosts };
const way = ways[process.argv[2] ?? 'stack'];
if (!way) throw new Error('Say how to install it: stack or hosts.');

const begun = performance.now();
const say = (text) => console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);

await using stack = new AsyncDisposableStack();
try {
  await tryIt();
} catch (error) {
  // Before all is tidied away, which takes a while.
  console.error(error);
  process.exitCode = 1;
}

async function tryIt() {
  const trial = await install();
  await deployApplication(trial);
  await replacePlatform(trial);
  await loseMachine(trial);
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
  const platform = stack.use(await way({ nodes, settings, outside, folder, say }));
  say('the platform runs on all of them');
  const deployer = createDeployer({ url: `http://${nodes[0].address}` }, await createAccount(platform));
  return { nodes, platform, deployer };
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

async function replacePlatform(trial) {
  const { nodes, platform, application } = trial;
  const load = loadMachine(nodes[0].address, application.url, 'it works');
  await platform.replaceAll();
  await everyMachineServes(trial);
  say(`the platform was replaced, one machine after another; visitors of the first meanwhile: ${await load.end()}`);
}

async function loseMachine(trial) {
  const { nodes, platform, deployer, application } = trial;
  const before = await instancesAt(trial, nodes[0]);
  const loads = nodes.slice(0, 2).map(({ address }) => loadMachine(address, application.url, 'it works'));
  const lostAt = performance.now();
  await Promise.all([nodes[2].kill(), platform.lose?.(2)]);
  await until('three instances serve again', async () => {
    const now = await instancesAt(trial, nodes[0]);
    return now.size === 3 && [...now].some((id) => !before.has(id));
  });
  say(
    `a machine was lost, and ${((performance.now() - lostAt) / 1000).toFixed(1)} s later three instances serve again`,
  );
  for (const load of loads) say(`  ${await load.end()}`);
  await deployer.healthy(await deployer.deploy(application, serverApp('it still works')));
  const visitNext = () => visitAt(trial, nodes[1]);
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
