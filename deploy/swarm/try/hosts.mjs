import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../e2e/platform.ts';
import { callMachine } from './visitors.mjs';
import { run } from './run.mjs';

const launcher = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'lilac.mjs');

/** "Three machines", step by step: each is started in the network of its machine. */
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
    lilac: (...argv) => hosts[0].lilac(argv),
    /** As an upgrade does it, one machine after another. */
    async replaceAll() {
      for (const host of hosts) {
        await host.stop();
        await host.start();
      }
    },
    lose: (index) => hosts[index].lose(),
    describe: async () => hosts.map((host) => host.lastWords()).join('\n\n'),
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((host) => host.stop()));
      // They outlive the platform, but not their machine.
      if (!hosts[0].isLost) await hosts[0].lilac(['admin', 'databases', 'stop']);
    },
  };
}

function createHost(node, home, settings) {
  const env = { ...process.env, ...settings, LILAC_HOME: home, LILAC_DOCKER_HOST: `unix://${node.socketPath}` };
  const inside = ['nsenter', `--net=/proc/${node.pid()}/ns/net`, process.execPath, launcher];
  let child;
  const end = async (signal) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, signal);
    await ended;
  };
  return {
    home,
    address: node.address,
    async start() {
      const log = openSync(`${home}.log`, 'a');
      const [program, ...words] = [...inside, 'server'];
      child = spawn(program, words, { env, stdio: ['ignore', log, log], detached: true });
      await until(`${node.address} answers`, () => isUp(node.address));
    },
    stop: () => end('SIGTERM'),
    isLost: false,
    lose() {
      this.isLost = true;
      return end('SIGKILL');
    },
    lilac: (argv) => run([...inside, ...argv], { env }),
    lastWords: () => readFileSync(`${home}.log`, 'utf8').split('\n').slice(-40).join('\n'),
  };
}

async function isUp(address) {
  const answer = await callMachine(address, `http://${address}`, '/api/health').catch(() => null);
  return answer?.status === 200;
}

function giveKeyring(from, to) {
  mkdirSync(join(to, 'secrets'), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, 'secrets', 'keyring.json'), join(to, 'secrets', 'keyring.json'));
}
