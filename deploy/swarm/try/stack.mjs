import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../e2e/platform.ts';
import { docker, run } from './run.mjs';

const deploy = join(import.meta.dirname, '..', '..');
const SERVICES = ['lilac_worker', 'lilac_databases', 'lilac_front'];

/** "As a stack", step by step. */
export async function installStack({ nodes, settings, outside, folder, say }) {
  const [first] = nodes;
  const file = await run([process.execPath, join(deploy, 'image', 'make-image.mjs')]);
  const image = `lilac:${/lilac-([^/]+)\.tar$/.exec(file)[1]}`;
  say(`the image is made: ${image}`);
  await Promise.all(nodes.map((node) => docker(node, ['load', '--input', file])));
  await Promise.all(nodes.map(linkSocket));
  say('every machine has it');
  const keeper = await docker(first, ['info', '--format', '{{.Swarm.NodeID}}']);
  await docker(first, ['node', 'update', '--label-add', 'lilac.databases=true', keeper]);
  await createSecrets(first, outside, folder);
  copyFileSync(join(deploy, 'swarm', 'lilac.yml'), join(folder, 'lilac.yml'));
  const env = { LILAC_IMAGE: image, ...settings };
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, 'lilac.env'), lines.join(''));
  const words = ['stack', 'deploy', '--resolve-image', 'never', '--compose-file', 'lilac.yml', 'lilac'];
  await docker(first, words, { cwd: folder, env });
  await until('every service runs', () => allRun(first), 300_000);
  return {
    lilac: (...argv) => inFront(first, argv),
    /** As an upgrade does it, one machine after another. */
    async replaceAll() {
      for (const service of SERVICES) await docker(first, ['service', 'update', '--force', '--quiet', service]);
    },
    // It ends with its machines.
    [Symbol.asyncDispose]: async () => {},
  };
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
  const listed = await docker(node, [
    'service',
    'ls',
    '--filter',
    'name=lilac_',
    '--format',
    '{{.Name}} {{.Replicas}}',
  ]);
  const counts = listed.split('\n').filter((line) => SERVICES.includes(line.split(' ')[0]));
  return counts.length === SERVICES.length && counts.every((line) => / (\d+)\/\1\b/.test(line) && !/ 0\//.test(line));
}

/** As the operator does it: by the command line in one of the containers. */
async function inFront(node, argv) {
  const container = await docker(node, ['ps', '--quiet', '--filter', 'name=lilac_front']);
  return docker(node, ['exec', container, 'lilac', ...argv]);
}
