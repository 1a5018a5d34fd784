import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../../lib/file-lock.ts';
import { isRangeOf, overlaps, rangeCidr, rangesOf, type AddressRange } from './address-range.ts';
import { doOverlap, isAddress, partsOf, prefixOf } from './cidr.ts';
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

/**
 * A part of the subnet for one network more: out of the installation's own range, then wherever nobody on this
 * machine is. `taken` are those that are promised already.
 */
export async function findSubnet(
  tools: HostTools,
  registry: string,
  options: { id: string; subnet: string; range: AddressRange; taken: readonly string[]; prefix: number },
): Promise<string> {
  const { id, subnet, range, taken, prefix } = options;
  const others = [...readEntries(registry)].flatMap(([otherId, other]) =>
    otherId === id ? [] : [rangeCidr(other.range)],
  );
  // The first part holds the host's own address. A route for all of 10.0.0.0/8 says nothing about who is there.
  const known = (await networksOf(tools, bridgeName(id))).filter((each) => isAddress(each) && prefixOf(each) >= 16);
  const closed = [...taken, ...others, ...known, `${range.start}.0/${prefix}`];
  for (const part of [range, ...rangesOf(subnet, id)].flatMap((each) => [...partsOf(rangeCidr(each), prefix)])) {
    if (!closed.some((other) => doOverlap(other, part))) return part;
  }
  throw new NetworkFailure(
    `All of ${subnet}.0.0/16 is in use on this machine. Name another subnet in LILAC_INSTANCE_SUBNET.`,
  );
}

export function noteRange(registry: string, id: string, entry: InstallationEntry): void {
  const draft = join(registry, `${id}.draft`);
  writeFileSync(draft, JSON.stringify(entry));
  renameSync(draft, entryPath(registry, id));
}

export function isRangeOfAnother(registry: string, id: string, range: AddressRange): boolean {
  return [...readEntries(registry)].some(([otherId, other]) => otherId !== id && other.range.start === range.start);
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
