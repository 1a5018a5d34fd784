import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../../e2e/platform.ts';
import { firstChild, run } from './run.mjs';
import { callMachine } from './visitors.mjs';

const launcher = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'lilac.mjs');

/** "Three machines", step by step: each is started as a program of its machine. */
export async function installHosts({ nodes, settings, outside, folder, say }) {
  writeFileSync(join(folder, 's3'), outside.s3Credentials, { mode: 0o600 });
  const shared = {
    ...settings,
    LILAC_DATABASE_URL: outside.databaseUrl,
    LILAC_S3_CREDENTIALS_FILE: join(folder, 's3'),
    LILAC_RUNTIME: 'swarm',
    LILAC_API_LISTEN: `${settings.LILAC_CLUSTER_RANGE}:7090`,
    LILAC_PORT: '80',
    LILAC_TLS_PORT: '443',
  };
  const hosts = nodes.map((node, index) => createHost(node, join(folder, `host-${index + 1}`), shared));
  for (const host of hosts) {
    if (host !== hosts[0]) giveKeyring(hosts[0].home, host.home);
    await host.start();
    say(`the host at ${host.address} runs`);
  }
  return {
    // The first one will be lost.
    lilac: (...argv) => hosts[1].lilac(argv),
    /** As an upgrade does it, one machine after another. */
    async replaceAll() {
      for (const host of hosts) {
        await host.stop();
        await host.start();
      }
    },
    describe: async () => hosts.map((host) => host.lastWords()).join('\n\n'),
    // The first that was started.
    keeper: nodes[0],
    async replaceKeeper() {
      await hosts[0].stop();
      await hosts[0].start();
    },
    loseKeeper: () => nodes[0].kill(),
    async reviveKeeper() {
      await nodes[0].revive();
      await hosts[0].start();
    },
    isWhole: () => until('every host answers', () => areUp(nodes)),
    databaseFolders: () => readdir(join(hosts[0].home, 'databases')),
    // They end with their machines.
    [Symbol.asyncDispose]: async () => {},
  };
}

function createHost(node, home, settings) {
  const env = { ...process.env, ...settings, LILAC_HOME: home, LILAC_DOCKER_HOST: `unix://${node.socketPath}` };
  let child;
  return {
    home,
    address: node.address,
    async start() {
      const log = openSync(`${home}.log`, 'a');
      const [program, ...words] = [...within(node), process.execPath, launcher, 'server'];
      child = spawn(program, words, { env, stdio: ['ignore', log, log], detached: true });
      closeSync(log);
      await until(`${node.address} answers`, () => isUp(node.address));
    },
    async stop() {
      const ended = once(child, 'exit');
      // Who entered the machine waits for it.
      process.kill(firstChild(child.pid), 'SIGTERM');
      await ended;
    },
    lilac: (argv) => run([...within(node), process.execPath, launcher, ...argv], { env }),
    lastWords: () => readFileSync(`${home}.log`, 'utf8').split('\n').slice(-40).join('\n'),
  };
}

/** With the network, the mounts and the processes of its machine, and gone with it. */
const within = (node) => ['nsenter', `--target=${firstChild(node.pid())}`, '--net', '--mount', '--pid'];

async function isUp(address) {
  const answer = await callMachine(address, `http://${address}`, '/api/health').catch(() => null);
  return answer?.status === 200;
}

const areUp = async (nodes) => (await Promise.all(nodes.map(({ address }) => isUp(address)))).every(Boolean);

function giveKeyring(from, to) {
  mkdirSync(join(to, 'secrets'), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, 'secrets', 'keyring.json'), join(to, 'secrets', 'keyring.json'));
}
