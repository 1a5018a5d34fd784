import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../../config.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { StartRefused } from '../runtime.ts';
import type { InstanceNetworks, NetworkLease } from '../instance-networks.ts';
import { hostAddress, rangeCidr, slotAddress } from './address-range.ts';
import { isForwarding } from './bridge.ts';
import { createDoors } from './doors.ts';
import { enterNamespace, NetworkFailure } from './host-tools.ts';
import { withRegistry } from './installation.ts';
import { listenersBeside } from './listening-sockets.ts';
import { readNameServers, type NameServers } from './name-servers.ts';
import { installationId, namespaceName } from './names.ts';
import { prepareSite, removeSite, resolvConfPath, type SiteDeps } from './prepare-site.ts';
import type { NetworkSite } from './slot-network.ts';
import { createSlotPool, type SlotPool, type SlotPoolLimits } from './slot-pool.ts';
import { leasedGuests, openSlotRecords, type SlotRecords } from './slot-records.ts';

export interface OwnNetworks extends InstanceNetworks {
  /** Resolves when nothing more is done in the background. */
  settled(): Promise<void>;
  /** Takes away all that this installation has in the kernel, also under instances that run. */
  remove(): Promise<void>;
}

export type OwnNetworksDeps = Pick<SiteDeps, 'config' | 'log' | 'tools' | 'firewalls'> &
  Partial<SlotPoolLimits> & { registry?: string; nameServers?: () => NameServers; clock?: Clock };

/** Others may flush the machine's firewall at any time; so long at most it stays as they left it. */
const REFRESH_MS = 60_000;

/** A network namespace for each instance, all on one bridge, none in sight of another. */
export function createOwnNetworks(given: OwnNetworksDeps): OwnNetworks {
  const deps = withDefaults(given);
  let opened: Promise<{ site: NetworkSite; pool: SlotPool }> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const open = () => {
    opened ??= openPool(deps).catch((error: unknown) => {
      opened = undefined;
      throw asRefusal(error);
    });
    timer ??= setInterval(() => void refresh(), REFRESH_MS).unref();
    return opened;
  };
  const refresh = async (): Promise<void> => {
    // The folder is gone: so is the installation, and its networks are no longer ours to keep.
    if (!existsSync(deps.folder)) return clearInterval(timer);
    await prepareSite(deps).catch((error: unknown) =>
      deps.log.error({ error }, 'the networks of instances are out of order'),
    );
  };
  /** With its doors: they are there before the instance is. */
  const take = async (pool: SlotPool, instanceId: string, organisationId?: string): Promise<number> => {
    const slot = await pool.take(instanceId, organisationId);
    try {
      await deps.doors.sync();
      return slot;
    } catch (error) {
      pool.giveBack(slot);
      throw error;
    }
  };
  /** Who has gone keeps nobody waiting; places rest before others get them, and by then it was tried again. */
  const syncDoors = () =>
    deps.doors.sync().catch((error: unknown) => deps.log.error({ error }, 'doors to databases stay open for a while'));
  return {
    async lease(instanceId, wantedPort, organisationId) {
      const { site, pool } = await open();
      const slot = await take(pool, instanceId, organisationId).catch((error: unknown) => {
        throw asRefusal(error);
      });
      return describeLease(deps, site, { slot, port: wantedPort });
    },
    async release(lease) {
      const { site, pool } = await open();
      if (!isOf(lease, site)) return;
      pool.giveBack(lease.slot);
      await syncDoors();
    },
    async sweep(held) {
      const { site, pool } = await open();
      await pool.sweep(new Set(held.filter((lease) => isOf(lease, site)).map(({ slot }) => slot)));
      await syncDoors();
    },
    async setDoors(doors) {
      deps.doors.remember(doors);
      await open();
      await deps.doors.sync();
    },
    async network() {
      const { range } = (await open()).site;
      return { range: rangeCidr(range), hostAddress: hostAddress(range) };
    },
    listeners: async (_lease, pids) => listenersBeside(pids),
    lacking: () => findLacking(deps),
    settled: async () => (await opened)?.pool.settled(),
    async remove() {
      clearInterval(timer);
      await (await opened)?.pool.settled();
      opened = undefined;
      // The records first: who is still making a network sees that nobody wants it any more.
      await removeTree(deps.folder);
      await withRegistry(deps.registry, () => removeSite(deps, deps.id));
    },
  };
}

type Deps = SiteDeps & SlotPoolLimits & { clock: Clock };

function withDefaults(given: OwnNetworksDeps): Deps {
  const folder = join(pathsOf(given.config).run, 'network');
  let records: SlotRecords | undefined;
  const openRecords = () => (records ??= openSlotRecords(join(folder, 'slots')));
  return {
    registry: '/run/lilac',
    nameServers: readNameServers,
    clock: systemClock,
    readyCount: 4,
    refillAfterMs: 400,
    restingCount: 32,
    restMs: 60_000,
    ...given,
    id: installationId(given.config.home),
    folder,
    // Not before they are needed: who only asks what is lacking leaves no trace.
    get records() {
      return openRecords();
    },
    doors: createDoors({
      firewall: given.firewalls[0],
      // Read only when it is needed: who only asks leaves no trace.
      guests: (range) => leasedGuests(range, openRecords().known()),
      path: pathsOf(given.config).databaseDoors,
    }),
  };
}

async function openPool(deps: Deps): Promise<{ site: NetworkSite; pool: SlotPool }> {
  const site = await prepareSite(deps);
  return { site, pool: createSlotPool({ ...deps, site }) };
}

function describeLease(deps: Deps, site: NetworkSite, { slot, port }: { slot: number; port: number }): NetworkLease {
  return {
    kind: 'own',
    slot,
    host: slotAddress(site.range, slot),
    port,
    enter: enterNamespace(namespaceName(site.id, slot)),
    resolvConf: existsSync(resolvConfPath(deps.folder)) ? resolvConfPath(deps.folder) : null,
  };
}

/** One of an earlier time, before the machine restarted, may speak of addresses that are others' now. */
function isOf({ kind, host, slot }: NetworkLease, site: NetworkSite): boolean {
  return kind === 'own' && host === slotAddress(site.range, slot);
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof NetworkFailure)) return error;
  return new StartRefused(`This machine gives instances no network of their own: ${error.message}`);
}

export async function findLacking({
  tools,
  firewalls,
  nameServers,
}: Pick<Deps, 'tools' | 'firewalls' | 'nameServers'>): Promise<string[]> {
  const canForward = (await isForwarding(tools)) || canWrite('/proc/sys/net/ipv4/ip_forward');
  return [
    ...(canForward
      ? []
      : ['Instances cannot reach the internet: switch it on with `sysctl -w net.ipv4.ip_forward=1` on this machine.']),
    ...(nameServers().servers.length > 0
      ? []
      : [
          'Instances cannot resolve names: the resolver of this machine listens on loopback or IPv6 only. ' +
            'Name one with an IPv4 address in /etc/resolv.conf.',
        ]),
    ...(await firewalls[0].obstacles()),
  ];
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
