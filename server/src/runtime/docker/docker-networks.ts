import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathsOf } from '../../config.ts';
import { once } from '../../lib/once.ts';
import type { InstanceNetwork } from '../instance-network-file.ts';
import type { NetworkLease } from '../instance-networks.ts';
import { createDoors } from '../network/doors.ts';
import { createHostTools, NetworkFailure } from '../network/host-tools.ts';
import { withRegistry } from '../network/installation.ts';
import { readNameServers } from '../network/name-servers.ts';
import { installationId } from '../network/names.ts';
import { findLacking } from '../network/own-networks.ts';
import { removeSite } from '../network/prepare-site.ts';
import { probeNetworks } from '../network/probe-networks.ts';
import { StartRefused, type DatabaseDoor } from '../runtime.ts';
import { EnvironmentNetworks, type EnvironmentNetworksDeps } from './environment-networks.ts';
import type { NetworkUser } from './network-book.ts';
import { prepareDockerSite, type DockerSite, type DockerSiteDeps } from './prepare-docker-site.ts';

export interface DockerNetworks {
  lease(spec: NetworkUser): Promise<{ lease: NetworkLease; network: string }>;
  release(lease: Pick<NetworkLease, 'host'>): void;
  /** Finds the networks that are there. */
  open(): Promise<void>;
  /** These addresses are taken, whoever took them. */
  note(leases: readonly Pick<NetworkLease, 'host'>[]): void;
  setDoors(doors: readonly DatabaseDoor[]): Promise<void>;
  network(): Promise<InstanceNetwork>;
  /** Sets right what Docker or others have put before our rules. */
  refresh(): Promise<void>;
  lacking(): Promise<string[]>;
  close(): void;
  /** Takes away all that this installation has in the kernel and in the engine. */
  remove(): Promise<void>;
}

/** Others may flush the machine's firewall at any time; so long at most it stays as they left it. */
const REFRESH_MS = 60_000;

type NetworksDeps = Pick<DockerSiteDeps, 'config' | 'log'> & Pick<EnvironmentNetworksDeps, 'engine'>;

/** The networks of environments, and who reaches whom. */
export async function openDockerNetworks({ config, log, engine }: NetworksDeps): Promise<DockerNetworks> {
  const tools = createHostTools();
  const abilities = await probeNetworks(tools);
  if ('reason' in abilities) {
    throw new StartRefused(
      `Containers cannot be kept apart here: ${abilities.reason} Run Lilac as root with iptables, or set LILAC_RUNTIME=sandbox.`,
    );
  }
  const { firewalls } = abilities;
  const id = installationId(config.home);
  const shared = { config, log, tools, id, registry: '/run/lilac' };
  const networks = new EnvironmentNetworks({ ...shared, engine, onChange: () => doors.sync() });
  const doors = createDoors({
    firewall: firewalls[0],
    guests: () => networks.list().map(({ subnet, organisationId }) => ({ address: subnet, organisationId })),
    path: pathsOf(config).databaseDoors,
  });
  const folder = join(pathsOf(config).run, 'network');
  const deps = { ...shared, firewalls, doors, folder, nameServers: readNameServers };
  const site = once<DockerSite>(() => prepareDockerSite(deps).catch(refuse));
  const opened = once(() => networks.open());
  const refresh = async (): Promise<void> => {
    // The folder is gone: so is the installation.
    if (!existsSync(folder)) return;
    await prepareDockerSite(deps).catch((error: unknown) =>
      log.error({ err: error }, 'the networks of instances are out of order'),
    );
    await networks
      .removeEmpty()
      .catch((error: unknown) => log.warn({ err: error }, 'networks without instances stay for a while'));
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
  return {
    async lease(spec) {
      await opened();
      return networks.lease(spec, await site()).catch(refuse);
    },
    release: (lease) => networks.release(lease),
    async open() {
      await site();
      await opened();
    },
    note: (leases) => networks.note(leases),
    async setDoors(given) {
      doors.remember(given);
      await site();
      await doors.sync();
    },
    network: async () => (await site()).network,
    refresh,
    lacking: () => findLacking({ tools, firewalls, nameServers: readNameServers }),
    close: () => clearInterval(timer),
    async remove() {
      clearInterval(timer);
      await opened();
      await networks.removeEmpty(0);
      await withRegistry(shared.registry, () => removeSite(deps, id));
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof NetworkFailure)) throw error;
  throw new StartRefused(`This machine gives containers no network: ${error.message}`);
}
