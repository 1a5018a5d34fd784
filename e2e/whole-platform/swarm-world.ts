import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { findProgram } from '../../server/build/find-program.mjs';
import { startEmbeddedStore, stopEmbeddedStore } from '../../server/src/store/embedded-store.ts';
import { startSwarmHere, type SwarmHere } from '../../server/src/testing/docker/start-swarm-here.ts';
import { findFreePort, startPlatform, until, type Platform } from '../platform.ts';
import { openBucketFor } from './bucket-on-bridge.ts';
import { hurriedSettings, type World } from './scene.ts';

/**
 * A swarm of three machines for the instances, one of which is this one and has the databases, as services; a host that
 * faces the world, and one that does the work.
 */
export interface SwarmWorld extends World {
  /** A worker on one more host. */
  joinWorker(): Promise<Platform>;
  /** The servers of databases that are services. */
  listDatabaseServices(): Promise<string[]>;
  /** Ends every process of the worker's host, at once. */
  killWorkerHost(): Promise<void>;
  /** After it was killed. */
  startWorkerHost(): Promise<void>;
}

const main = findProgram();

export async function openSwarmWorld(): Promise<SwarmWorld> {
  const stack = new AsyncDisposableStack();
  try {
    return await open(stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function open(stack: AsyncDisposableStack): Promise<SwarmWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-swarm-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const swarm = stack.use(await startSwarmHere({ others: 2 }));
  const store = { directory: join(folder, 'store'), logFile: join(folder, 'store.log'), password: 'theirs' };
  const { process: postgres } = await startEmbeddedStore(store);
  stack.defer(() => stopEmbeddedStore(postgres));
  const bucket = stack.use(await openBucketFor(swarm.network));
  const port = await findFreePort();
  const env = { ...hurriedSettings, ...settingsFor(swarm), ...sharedBy(folder, port), ...bucket.environment };
  const start = async (name: string, roles: string, at: number) => {
    const argv: [string, ...string[]] = [process.execPath, main, 'server', '--roles', roles];
    const own = { LILAC_API_LISTEN: `127.0.0.1:${await findFreePort()}` };
    return stack.use(await startPlatform({ home: join(folder, name), port: at, argv, env: { ...env, ...own } }));
  };
  const startWorker = async (name: string) => {
    shareKeyring(join(folder, 'front'), join(folder, name));
    return start(name, 'api,worker', await findFreePort());
  };
  const front = await start('front', 'api,edge', port);
  let worker = await startWorker('first');
  return {
    platform: {
      ...front,
      // Where the databases are.
      home: worker.home,
      pids: () => ({ ...front.pids(), worker: worker.pids()['worker'] ?? [] }),
    },
    countRunning: async () => (await containersOf(swarm, { filters: { label: ['lilac.platform'] } })).length,
    listRemains: () => remainsOf(swarm),
    joinWorker: () => startWorker('second'),
    async listDatabaseServices() {
      const services = await swarm.manager.listServices({ filters: { label: ['lilac.databases'] } });
      return services.map(({ Spec }) => Spec!.Labels!['lilac.databases.server']!);
    },
    killWorkerHost: () => killHost(worker),
    async startWorkerHost() {
      worker = await startWorker('first');
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const settingsFor = ({ nodes, network }: SwarmHere) => ({
  LILAC_RUNTIME: 'swarm',
  LILAC_DOCKER_HOST: `unix://${nodes[0]!.socketPath}`,
  LILAC_CLUSTER_RANGE: network.range,
});

const sharedBy = (folder: string, port: number) => ({
  LILAC_DATABASE_URL: `postgresql://lilac:theirs@localhost/postgres?host=${encodeURIComponent(join(folder, 'store', 'data'))}`,
  LILAC_PUBLIC_URL: `http://localhost:${port}`,
});

/** Every host has the same keys. */
function shareKeyring(from: string, to: string): void {
  mkdirSync(join(to, 'secrets'), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, 'secrets', 'keyring.json'), join(to, 'secrets', 'keyring.json'));
}

async function killHost(host: Platform): Promise<void> {
  const pids = Object.values(host.pids()).flat();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until('all of its processes have ended', () => !pids.some(isThere));
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Services, what only they may read, and containers, also those that have ended. */
async function remainsOf(swarm: SwarmHere): Promise<string[]> {
  const { manager } = swarm;
  const [services, secrets] = await Promise.all([manager.listServices(), manager.listSecrets()]);
  const names = [...services, ...secrets].map(({ Spec }) => Spec?.Name ?? 'something without a name');
  return [...names, ...(await containersOf(swarm, { all: true }))];
}

async function containersOf({ nodes }: SwarmHere, options: Docker.ContainerListOptions): Promise<string[]> {
  const found = await Promise.all(nodes.map(({ docker }) => docker.listContainers(options)));
  return found.flat().flatMap(({ Names }) => Names);
}
