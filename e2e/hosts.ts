import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startS3Server } from '../server/src/objects/s3/testing/start-s3-server.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';

/** Several hosts of one platform on this machine: homes and ports of their own, one PostgreSQL and one object store. */
export interface Hosts extends AsyncDisposable {
  hosts: Platform[];
  /** Asks the store that all hosts share. */
  ask<Row extends object>(text: string): Promise<Row[]>;
  /** Ends PostgreSQL without a word to anybody, and starts it again. */
  restartStore(): Promise<void>;
  /** Ends every process of the platform on a host, at once. Instances are not among them. */
  kill(index: number): Promise<void>;
  /** After it was killed. */
  startAgain(index: number): Promise<void>;
}

/** `objectsAt`: an address of this machine at which others than it reach the object store. */
export async function startHosts(count: number, env: Record<string, string>, objectsAt?: string): Promise<Hosts> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-hosts-'));
  const options = { directory: join(folder, 'store'), logFile: join(folder, 'store.log'), password: 'theirs' };
  let store = await startEmbeddedStore(options);
  const s3 = await startS3Server(objectsAt);
  const socket = encodeURIComponent(join(folder, 'store', 'data'));
  const url = `postgresql://lilac:theirs@localhost/postgres?host=${socket}`;
  const ports = await Promise.all(Array.from({ length: count }, findFreePort));
  const homes = ports.map((_, index) => join(folder, `host-${index + 1}`));
  const shared = { LILAC_DATABASE_URL: url, LILAC_PUBLIC_URL: `http://localhost:${ports[0]}`, ...s3.environment };
  const start = (index: number) =>
    startPlatform({ env: { ...shared, ...env }, home: homes[index]!, port: ports[index]! });
  const hosts: Platform[] = [];

  async function dispose(): Promise<void> {
    await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
    await s3[Symbol.asyncDispose]();
    await stopEmbeddedStore(store.process);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    for (const [index, home] of homes.entries()) {
      if (index > 0) shareKeyring(homes[0]!, home);
      hosts.push(await start(index));
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    hosts,
    async ask<Row extends object>(text: string) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    },
    async restartStore() {
      process.kill(store.process.pid, 'SIGQUIT');
      await until('PostgreSQL has ended', () => !isThere(store.process.pid));
      store = await startEmbeddedStore(options);
    },
    async kill(index) {
      const pids = Object.values(hosts[index]!.pids()).flat();
      for (const pid of pids) if (isThere(pid)) process.kill(pid, 'SIGKILL');
      await until('all of its processes have ended', () => !pids.some(isThere));
    },
    async startAgain(index) {
      hosts[index] = await start(index);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Every host has the same keys. */
function shareKeyring(from: string, to: string): void {
  mkdirSync(join(to, 'secrets'), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, 'secrets', 'keyring.json'), join(to, 'secrets', 'keyring.json'));
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
