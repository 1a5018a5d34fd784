import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../../lib/file-lock.ts';
import { isRangeOf, overlaps, rangesOf, type AddressRange } from './address-range.ts';
import { bridgeName } from './names.ts';
import { NetworkFailure, type HostTools } from './host-tools.ts';

/** The installations on this machine that have networks; forgotten with it when the machine restarts. */
export interface InstallationEntry {
  home: string;
  range: AddressRange;
}

const LOCK_TIMEOUT_MS = 30_000;

/** One at a time on this machine: two installations must not choose the same addresses. */
export async function withRegistry<T>(registry: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(join(registry, 'networks'), { recursive: true, mode: 0o755 });
  const unlock = await lock(join(registry, 'networks.lock'), LOCK_TIMEOUT_MS);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** The addresses that the installation had, or a part of the subnet that nobody on this machine uses. */
export async function findRange(
  tools: HostTools,
  registry: string,
  { id, subnet, recorded }: { id: string; subnet: string; recorded: AddressRange | null },
): Promise<AddressRange> {
  const others = [...readEntries(registry)].filter(([otherId]) => otherId !== id);
  const networks = await networksOf(tools, bridgeName(id));
  const isFree = (range: AddressRange): boolean =>
    !others.some(([, other]) => other.range.start === range.start) &&
    !networks.some((network) => overlaps(range, network));
  const wanted = recorded && isRangeOf(recorded, subnet) ? [recorded] : [];
  const range = [...wanted, ...rangesOf(subnet, id)].find(isFree);
  if (range) return range;
  throw new NetworkFailure(
    `All of ${subnet}.0.0/16 is in use on this machine. Name another subnet in LILAC_INSTANCE_SUBNET.`,
  );
}

export function noteRange(registry: string, id: string, entry: InstallationEntry): void {
  const draft = join(registry, `${id}.draft`);
  writeFileSync(draft, JSON.stringify(entry));
  renameSync(draft, entryPath(registry, id));
}

/** Installations whose folder is gone: nobody will ever come back for their networks. */
export function listAbandoned(registry: string): string[] {
  return [...readEntries(registry)].flatMap(([id, { home }]) => (existsSync(home) ? [] : [id]));
}

export function forgetInstallation(registry: string, id: string): void {
  rmSync(entryPath(registry, id), { force: true });
}

const entryPath = (registry: string, id: string): string => join(registry, 'networks', `${id}.json`);

function readEntries(registry: string): Map<string, InstallationEntry> {
  const folder = join(registry, 'networks');
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{8}\.json$/.test(name));
  return new Map(
    names.map((name) => [name.slice(0, 8), JSON.parse(readFileSync(join(folder, name), 'utf8')) as InstallationEntry]),
  );
}

interface AddressEntry {
  ifname: string;
  addr_info?: { family: string; local: string; prefixlen: number }[];
}

interface RouteEntry {
  dst: string;
  dev?: string;
}

/** Every network that this machine knows, but for what hangs on our own bridge. */
async function networksOf(tools: HostTools, bridge: string): Promise<string[]> {
  const addresses = await tools.ipList<AddressEntry>(['-4', 'addr']);
  const routes = await tools.ipList<RouteEntry>(['-4', 'route', 'show', 'table', 'all']);
  return [
    ...addresses
      .filter(({ ifname }) => ifname !== bridge)
      .flatMap(({ addr_info = [] }) => addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`)),
    ...routes.filter(({ dst, dev }) => dst !== 'default' && dev !== bridge).map(({ dst }) => dst),
  ];
}
