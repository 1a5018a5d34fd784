import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../server/src/config.ts';
import { createServerHost } from '../server/src/engines/host/create-server-host.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { createLog } from '../server/src/lib/log.ts';
import { connectTo } from './databases.ts';
import { processesOf } from './left-processes.ts';

/** The servers of databases that have files on this machine. */
export function serversOf(home: string): string[] {
  const folder = join(home, 'databases');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('dbs_')) : [];
}

/** Everything of databases that is there: folders, mounts, processes. */
export function leftOf(home: string): string[] {
  const folder = join(home, 'databases');
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ').filter((word) => word.startsWith(`${folder}/`)));
  return [...serversOf(home), ...mounts, ...processesOf(folder).map(String)];
}

/** Databases outlive the platform on purpose; those of a test do not. */
export async function endDatabases(home: string): Promise<void> {
  if (serversOf(home).length === 0) return;
  const host = createServerHost({
    config: readConfig({ LILAC_HOME: home }),
    log: createLog({ level: 'silent', role: 'test' }),
    clock: systemClock,
  });
  await host.open();
  for (const id of serversOf(home)) await host.remove(id);
  await host.close();
}

export interface MainProcess {
  pid: number;
  name: string;
  serverId: string;
}

/** The process of each server that has the others for children. */
export function mainProcesses(home: string): MainProcess[] {
  const folder = join(home, 'databases');
  const all = processesOf(folder).flatMap((pid) => describeProcess(pid, folder));
  return all.filter(({ parent }) => !all.some(({ pid }) => pid === parent));
}

function describeProcess(pid: number, folder: string): (MainProcess & { parent: number })[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const serverId = readlinkSync(`/proc/${pid}/cwd`)
      .slice(folder.length + 1)
      .split('/')[0]!;
    const name = /^Name:\s*(\S+)/m.exec(status)![1]!;
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status)![1]);
    return ['postgres', 'mariadbd'].includes(name) ? [{ pid, name, serverId, parent }] : [];
  } catch {
    return [];
  }
}

/** The server that a client reaches at the address: the one that says it takes writes. */
export async function primaryOf(home: string, url: string): Promise<MainProcess> {
  const isMysql = url.startsWith('mysql:');
  const connection = await connectTo(url);
  const [[where]] = (await connection.query(isMysql ? 'select @@port' : 'select inet_server_port()')) as [[number]];
  await connection.close();
  const found = mainProcesses(home).find(({ pid }) => listensAt(pid, Number(where)));
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
