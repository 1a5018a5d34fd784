import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { SHARED_NETWORK } from '../../instance-network-file.ts';
import type { Listener } from '../../runtime.ts';
import type { InstanceNetworks } from '../../instance-networks.ts';

/** The machine's own network for all, a free port for each: enough to test everything else with. */
export function createLoopbackNetworks(folder: string): InstanceNetworks {
  mkdirSync(folder, { recursive: true });
  return {
    async lease(instanceId) {
      const port = await findFreePort();
      writeFileSync(join(folder, `${port}-${instanceId}`), '');
      return { kind: 'shared', slot: port, host: '127.0.0.1', port, enter: [], resolvConf: null };
    },
    async release({ slot }) {
      for (const name of readdirSync(folder)) if (name.startsWith(`${slot}-`)) rmSync(join(folder, name));
    },
    async sweep(held) {
      const kept = held.map(({ slot }) => `${slot}`);
      for (const name of readdirSync(folder)) if (!kept.includes(name.split('-')[0] ?? '')) rmSync(join(folder, name));
    },
    setDoors: async () => {},
    network: async () => SHARED_NETWORK,
    listeners: async (_lease, pids) => readListeners(pids),
    lacking: async () => ['These tests share one network.'],
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function readListeners(pids: readonly number[]): Listener[] {
  const inodes = new Set(pids.flatMap(socketsOf));
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(1));
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    if (state !== '0A' || !inodes.has(inode)) return [];
    const [address = '', port = ''] = local.split(':');
    return [{ port: Number.parseInt(port, 16), isLocal: address === '0100007F' }];
  });
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      const target = readlinkSync(`/proc/${pid}/fd/${name}`);
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
    });
  } catch {
    return [];
  }
}
