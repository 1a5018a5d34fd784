import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../e2e/platform.ts';
import { docker, run } from './run.mjs';

const deploy = join(import.meta.dirname, '..', '..');
const SERVICES = ['lilac_worker', 'lilac_databases', 'lilac_front'];

/** "As a stack", step by step. */
export async function installStack({ nodes, settings, outside, folder, say }) {
  const [first, keeper] = nodes;
  const file = await run([process.execPath, join(deploy, 'image', 'make-image.mjs')]);
  const image = `lilac:${/lilac-([^/]+)\.tar$/.exec(file)[1]}`;
  say(`the image is made: ${image}`);
  await Promise.all(nodes.map((node) => docker(node, ['load', '--input', file])));
  await Promise.all(nodes.map(linkSocket));
  say('every machine has it');
  await labelKeeper(keeper);
  await createSecrets(first, outside, folder);
  copyFileSync(join(deploy, 'swarm', 'lilac.yml'), join(folder, 'lilac.yml'));
  const env = { LILAC_IMAGE: image, ...settings };
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 'lilac.env'), lines.join(''));
  const words = ['stack', 'deploy', '--resolve-image', 'never', '--compose-file', 'lilac.yml', 'lilac'];
  await docker(first, words, { cwd: folder, env });
  await until('every service runs', () => allRun(first), 300_000);
  await until('instances and databases are kept', async () => (await readLeaders(first)).length === 2, 300_000);
  return {
    lilac: (...argv) => inFront(first, argv),
    /** As an upgrade does it, one machine after another. */
    async replaceAll() {
      for (const service of SERVICES) await docker(first, ['service', 'update', '--force', '--quiet', service]);
    },
    describe: () => describe(first),
    troubleDatabases: (notes) => troubleDatabases(nodes, notes, say),
    // It ends with its machines.
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What keeps the databases is replaced, then its whole machine is lost and comes back, while another could keep them. */
async function troubleDatabases([first, keeper, waiting], notes, say) {
  const leader = await leaderOfDatabases(first);
  const before = await serverOfDatabase(keeper);
  await assertPinned(keeper);
  const replacing = notes.watch(first);
  await docker(first, ['service', 'update', '--force', '--quiet', 'lilac_databases']);
  const awayMs = await replacing.end();
  assert.equal(await serverOfDatabase(keeper), before, 'The server of the database was replaced with its keeper.');
  say(`the container of the databases was replaced, and the server of one ran on: ${seconds(awayMs)} between answers`);
  await labelKeeper(waiting);
  const isWaiting = async () => (await readServices(first)).lilac_databases === '2/2';
  await until('another waits to keep databases', isWaiting, 300_000);
  const losing = notes.watch(first);
  await keeper.kill();
  await until('the database is away', () => losing.isAway());
  assert.equal(await leaderOfDatabases(first), leader);
  await keeper.revive();
  await linkSocket(keeper);
  say(`its machine was lost and started again: away for ${seconds(await losing.end())}, all rows are there`);
  assert.equal(await leaderOfDatabases(first), leader, 'Another machine keeps the databases.');
  await until('every service runs', () => allRun(first), 300_000);
}

/** The container in which the one database runs: a service of its own, on the machine that has its files. */
async function serverOfDatabase(node) {
  const running = await docker(node, ['ps', '--quiet', '--no-trunc', '--filter', 'label=lilac.databases']);
  assert.match(running, /^[0-9a-f]{64}$/, 'There is not exactly one server of a database.');
  return running;
}

async function assertPinned(node) {
  const [id, name] = await Promise.all([
    docker(node, ['info', '--format', '{{.Swarm.NodeID}}']),
    docker(node, ['service', 'ls', '--filter', 'label=lilac.databases', '--format', '{{.Name}}']),
  ]);
  const placed = await docker(node, ['service', 'inspect', '--format', '{{json .Spec.TaskTemplate.Placement}}', name]);
  assert.deepEqual(JSON.parse(placed).Constraints, [`node.id==${id}`]);
}

/** What the services are at, and what they said last. */
async function describe(node) {
  const tasks = ['service', 'ps', '--no-trunc', '--format', '{{.Name}} {{.Node}} {{.CurrentState}} {{.Error}}'];
  const told = SERVICES.flatMap((name) => [
    [...tasks, name],
    ['service', 'logs', '--tail', '40', name],
  ]);
  const parts = await Promise.all(told.map((words) => docker(node, words, { timeout: 30_000 }).catch(String)));
  return parts.join('\n\n');
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

async function labelKeeper(node) {
  const id = await docker(node, ['info', '--format', '{{.Swarm.NodeID}}']);
  await docker(node, ['node', 'update', '--label-add', 'lilac.databases=true', id]);
}

async function leaderOfDatabases(node) {
  return (await readLeaders(node)).find(({ name }) => name === 'databases')?.host;
}

async function readLeaders(node) {
  return JSON.parse(await inFront(node, ['admin', 'leaders', '--json'])).leaders;
}

/** An engine of a machine's own has it there. */
async function linkSocket(node) {
  const link = ['ln', '-s', node.socketPath, '/run/docker.sock'];
  await run(['nsenter', `--mount=/proc/${node.pid()}/ns/mnt`, ...link]);
}

async function createSecrets(node, { databaseUrl, s3Credentials }, folder) {
  const keyring = join(folder, 'keyring.json');
  await run([process.execPath, join(deploy, 'swarm', 'make-keyring.mjs'), keyring]);
  writeFileSync(join(folder, 'url'), databaseUrl, { mode: 0o600 });
  writeFileSync(join(folder, 's3'), s3Credentials, { mode: 0o600 });
  await docker(node, ['secret', 'create', 'lilac_keyring', keyring]);
  await docker(node, ['secret', 'create', 'lilac_database_url', join(folder, 'url')]);
  await docker(node, ['secret', 'create', 'lilac_s3', join(folder, 's3')]);
}

async function allRun(node) {
  const services = await readServices(node);
  return SERVICES.every((name) => /^([1-9]\d*)\/\1$/.test(services[name]));
}

/** How many run of how many that are wanted, such as `3/3`, by the names of services. */
async function readServices(node) {
  const listed = await docker(node, ['service', 'ls', '--format', '{{.Name}} {{.Replicas}}']);
  return Object.fromEntries(listed.split('\n').map((line) => line.split(' ').slice(0, 2)));
}

/** As the operator does it: by the command line in one of the containers. */
async function inFront(node, argv) {
  const container = await docker(node, ['ps', '--quiet', '--filter', 'name=lilac_front']);
  return docker(node, ['exec', container, 'lilac', ...argv]);
}
