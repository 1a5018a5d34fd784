import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '../../server/build/find-program.mjs';
import { loadConfig, pathsOf } from '../../server/src/config.ts';
import { run, start } from '../../server/src/lib/exec.ts';
import type { Route } from '../../server/src/routing/route.ts';
import { openKeyring } from '../../server/src/secrets/key-file.ts';
import { launchRole } from '../../server/src/supervisor/launch-role.ts';
import { openPublicPort } from '../../server/src/supervisor/public-port.ts';
import { profiling } from '../measuring/profiling.ts';
import { processesBelow } from './cpu-time.ts';
import { SERVER_CORE } from './cores.ts';
import { PATH } from './programs.ts';
import { APPS_DOMAIN } from './site.ts';
import { startStoreWith } from './store.ts';

/** A server that is measured. */
export interface Peer {
  name: string;
  port: number;
  pids(): number[];
  stop(): Promise<void>;
}

/** The edge role, started by the supervisor's own hand, beside a store with these routes. */
export async function startEdge(folder: string, routes: readonly Route[]): Promise<Peer> {
  const store = await startStoreWith(folder, routes);
  try {
    const edge = await startEdgeRole(folder);
    return { ...edge, stop: () => edge.stop().then(() => store.stop()) };
  } catch (error) {
    // It would outlive us.
    await store.stop();
    throw error;
  }
}

async function startEdgeRole(folder: string): Promise<Peer> {
  const port = await freePort();
  const publicPort = await openPublicPort({ port, bind: '127.0.0.1' }, 1);
  Object.assign(process.env, {
    LILAC_HOME: folder,
    LILAC_PORT: String(port),
    LILAC_APPS_DOMAIN: APPS_DOMAIN,
    LILAC_LOG_LEVEL: 'error',
    ...profiling(),
  });
  const config = loadConfig();
  openKeyring(pathsOf(config).keyring);
  const child = launchRole({
    program: findProgram(),
    role: 'edge',
    config,
    ports: { http: publicPort.descriptors[0]!, https: null },
  });
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  await run(['taskset', '-a', '-c', '-p', SERVER_CORE, String(child.pid)], { env: { PATH } });
  return {
    ...peerOf('edge', port, child),
    stop: async () => {
      await end(child);
      publicPort.close();
    },
  };
}

export interface PeerOptions {
  name: string;
  /** Where it listens when it has started. */
  port: number;
  argv: string[];
  env?: Record<string, string>;
  core?: string;
  /** How long it may take to start. */
  patienceMs?: number;
}

export async function startPeer(options: PeerOptions): Promise<Peer> {
  const { name, port, argv, env = {}, core = SERVER_CORE, patienceMs = 10_000 } = options;
  const stdio = ['ignore', 'ignore', 'ignore'] as const;
  const child = start(['taskset', '-c', core, ...argv], { env: { PATH, ...env }, stdio: [...stdio] });
  const deadline = performance.now() + patienceMs;
  while (!(await isListening(port))) {
    if (performance.now() > deadline || child.exitCode !== null) {
      await end(child);
      throw new Error(`${name} does not start.`);
    }
    await delay(50);
  }
  return peerOf(name, port, child);
}

function peerOf(name: string, port: number, child: ChildProcess): Peer {
  return { name, port, pids: () => processesBelow(child.pid!), stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
