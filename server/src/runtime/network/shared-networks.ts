import { createServer } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pathsOf, type Config } from '../../config.ts';
import { StartRefused } from '../runtime.ts';
import { readInstanceNetwork, SHARED_NETWORK, writeInstanceNetwork } from '../instance-network-file.ts';
import type { InstanceNetworks, NetworkLease } from '../instance-networks.ts';
import { listenersOf } from './listening-sockets.ts';
import { installationId } from './names.ts';
import { openSlotRecords, type SlotRecords } from './slot-records.ts';

/** Below the ports that the system gives away by itself. */
const FIRST_PORT = 20_000;
const PORT_COUNT = 10_000;

/** All instances in the network of the host, each with a port of its own. `reason` says why there is no better. */
export function createSharedNetworks({
  config,
  reason,
}: {
  config: Pick<Config, 'home'>;
  reason: string;
}): InstanceNetworks {
  let opened: SlotRecords | undefined;
  const open = () => (opened ??= openSlotRecords(join(pathsOf(config).run, 'network', 'ports')));
  // Installations on one machine begin at different places, and ports come back as late as can be: whoever is begun
  // anew begins a port further for each second, and so not with those that were just given back.
  const seconds = Math.floor(Date.now() / 1000);
  let last = (Number.parseInt(installationId(config.home).slice(0, 6), 16) + seconds) % PORT_COUNT;
  return {
    async lease(instanceId) {
      const records = open();
      const known = records.slotOf(instanceId);
      if (known !== null) return describeLease(known);
      for (let step = 0; step < PORT_COUNT; step += 1) {
        last = (last + 1) % PORT_COUNT;
        const port = FIRST_PORT + last;
        if (await takePort(records, port, instanceId)) return describeLease(port);
      }
      throw new StartRefused(
        `All ports from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1} of this machine are in use.`,
      );
    },
    release: async ({ kind, slot }) => {
      if (kind === 'shared') open().forget(slot);
    },
    async sweep(held) {
      const records = open();
      const kept = new Set(held.filter(({ kind }) => kind === 'shared').map(({ slot }) => slot));
      for (const [port, record] of records.list()) {
        if (!kept.has(port) && !records.isOfAnother(record)) records.forget(port);
      }
      for (const port of kept) records.claim(port, { use: 'leased', instanceId: null });
    },
    // Nothing keeps them apart here; what is lacking says so.
    setDoors: async () => writeIfNew(config),
    async network() {
      writeIfNew(config);
      return SHARED_NETWORK;
    },
    listeners: async (_lease, pids) => listenersOf(pids),
    lacking: async () => [
      `Instances share the network of this machine: they reach one another, and all that listens on it, ` +
        `also databases without a public address. ${reason} ` +
        'For a network each, run Lilac as root, with iproute2 and nftables installed (apt-get install iproute2 nftables).',
    ],
  };
}

/** Asked again and again, and seldom anything new: where nothing is written, that is what others take it for. */
function writeIfNew(config: Pick<Config, 'home'>): void {
  const isThat = isDeepStrictEqual(readInstanceNetwork(config), SHARED_NETWORK);
  if (!isThat) writeInstanceNetwork(config, SHARED_NETWORK);
}

/** Noted first: the port may be looked at by two at once. */
async function takePort(records: SlotRecords, port: number, instanceId: string): Promise<boolean> {
  if (records.get(port) || !records.claim(port, { use: 'leased', instanceId })) return false;
  if (await isFree(port)) return true;
  records.forget(port);
  return false;
}

/** On all addresses: whoever listens on a single one would be in the way, too. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });
}

function describeLease(port: number): NetworkLease {
  return { kind: 'shared', slot: port, host: '127.0.0.1', port, enter: [], resolvConf: null };
}
