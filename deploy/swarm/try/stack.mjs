import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../e2e/platform.ts';
import { docker, run } from './run.mjs';

const deploy = join(import.meta.dirname, '..', '..');
const SERVICES = ['lilac_worker', 'lilac_databases', 'lilac_front'];

/** "As a stack", step by step. */
export async function installStack({ nodes, settings, outside, folder, say }) {
  const [first, keeper, waiting] = nodes;
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
    keeper,
    replaceKeeper: () => docker(first, ['service', 'update', '--force', '--quiet', 'lilac_databases']),
    /** One more waits to keep databases. */
    async inviteAnother() {
      await labelKeeper(waiting);
      await until('another waits to keep databases', () => runsTwice(first, 'lilac_databases'), 300_000);
    },
    loseKeeper: () => keeper.kill(),
    async reviveKeeper() {
      await keeper.revive();
      await linkSocket(keeper);
    },
    isWhole: () => until('every service runs', () => allRun(first), 300_000),
    databaseFolders: () => databaseFolders(keeper),
    // It ends with its machines.
    [Symbol.asyncDispose]: async () => {},
  };
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

async function labelKeeper(node) {
  const id = await docker(node, ['info', '--format', '{{.Swarm.NodeID}}']);
  await docker(node, ['node', 'update', '--label-add', 'lilac.databases=true', id]);
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

const runsTwice = async (node, service) => (await readServices(node))[service] === '2/2';

/** How many run of how many that are wanted, such as `3/3`, by the names of services. */
async function readServices(node) {
  const listed = await docker(node, ['service', 'ls', '--format', '{{.Name}} {{.Replicas}}']);
  return Object.fromEntries(listed.split('\n').map((line) => line.split(' ').slice(0, 2)));
}

/** In the volume of the machine that keeps them. */
async function databaseFolders(node) {
  const container = await docker(node, ['ps', '--quiet', '--filter', 'name=lilac_databases']);
  const listed = await docker(node, ['exec', container, 'ls', '/var/lib/lilac/databases']);
  return listed.split('\n').filter(Boolean);
}

/** As the operator does it: by the command line in one of the containers. */
async function inFront(node, argv) {
  const container = await docker(node, ['ps', '--quiet', '--filter', 'name=lilac_front']);
  return docker(node, ['exec', container, 'lilac', ...argv]);
}
