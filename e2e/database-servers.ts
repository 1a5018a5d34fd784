import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../server/src/config.ts';
import { createSourceLimits } from '../server/src/engines/address/source-limits.ts';
import { findMain } from '../server/src/engines/host/launch-notes.ts';
import { createServerHost } from '../server/src/engines/host/create-server-host.ts';
import type { ServerHost } from '../server/src/engines/host/server-host.ts';
import { releaseSharedMemory } from '../server/src/engines/postgresql/shared-memory.ts';
import { createLog } from '../server/src/lib/log.ts';
import { connectTo } from './databases.ts';
import { processesOf } from './left-processes.ts';

/** The servers of databases that have files on this machine. */
export function serversOf(home: string): string[] {
  const folder = join(home, 'databases');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('dbs_')) : [];
}

/** Everything of databases that is there: folders, mounts, processes, and what dumps had for a moment. */
export function leftOf(home: string): string[] {
  const folder = join(home, 'databases');
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ').filter((word) => word.startsWith(`${folder}/`)));
  const sockets = readdirSync(join(home, 'run')).filter((name) => name.startsWith('.probe-'));
  return [...serversOf(home), ...mounts, ...processesOf(folder).map(String), ...sockets];
}

/** Databases outlive the platform on purpose; those of a test do not. */
export async function endDatabases(home: string, env: Record<string, string> = {}): Promise<void> {
  const { LILAC_RUNTIME, LILAC_DOCKER_HOST } = env;
  const config = readConfig({ LILAC_HOME: home, LILAC_RUNTIME, LILAC_DOCKER_HOST });
  const limits = createSourceLimits({ config });
  if ((await limits.obstacle()) === null) await limits.hold([], []);
  if (serversOf(home).length === 0) return;
  const host = createServerHost({ config, log: createLog({ level: 'silent', role: 'test' }) });
  await host.open();
  for (const id of serversOf(home)) await removeServer(host, id);
  await host.close();
}

async function removeServer(host: ServerHost, serverId: string): Promise<void> {
  // What cannot be opened any more is removed all the same.
  const place = await host.find(serverId).catch(() => null);
  await host.kill(serverId);
  if (place) await releaseSharedMemory(place);
  await host.remove(serverId);
}

export interface MainProcess {
  pid: number;
  serverId: string;
}

/** The main process of each server, as the platform noted it when it started. */
export function mainProcesses(home: string): MainProcess[] {
  return serversOf(home).flatMap((serverId) => {
    const main = findMain(join(home, 'databases', serverId));
    return main ? [{ pid: main.pid, serverId }] : [];
  });
}

/** With everything that it started. */
export function processesOfServer(home: string, serverId: string): number[] {
  const main = findMain(join(home, 'databases', serverId));
  return main ? [main.pid, ...descendantsOf(main.pid)] : [];
}

function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The server that a client reaches at the address: the one that says it takes writes. */
export async function primaryOf(home: string, url: string): Promise<MainProcess> {
  const isMysql = url.startsWith('mysql:');
  const connection = await connectTo(url);
  const [[where]] = (await connection.query(isMysql ? 'select @@port' : 'select inet_server_port()')) as [[number]];
  await connection.close();
  const found = mainProcesses(home).find(({ pid }) => listensAt(pid, where));
  if (!found) throw new Error(`No server of this platform listens at ${where}.`);
  return found;
}

/** The socket's inode is among those that the process holds. */
function listensAt(pid: number, port: number): boolean {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(hex) && state === '0A')
      .map((fields) => `socket:[${fields[9]}]`),
  );
  return readdirSync(`/proc/${pid}/fd`).some((fd) => listening.includes(linkOf(`/proc/${pid}/fd/${fd}`)));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
