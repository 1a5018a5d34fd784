import { isIPv6 } from 'node:net';
import { DnsUnavailable } from './dns-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** The few questions it takes, asked of those who look things up for others. */
export interface ZoneQuestions {
  nameServers(name: string): Promise<string[]>;
  linkOf(name: string): Promise<string | undefined>;
  addresses(name: string): Promise<string[]>;
}

export interface ZoneKeepers {
  /** The servers that keep the zone of a name, as a resolver takes them. None: not known, or of no use. */
  of(name: string): Promise<readonly string[]>;
  /** They did not answer: others are asked for a while. */
  avoid(name: string): void;
}

export interface KeeperOptions {
  port: number;
  /** Whom the operator has named: they may be asked wherever they are. */
  named: readonly string[];
}

const KEPT_MS = 5 * 60_000;
const MOST_ZONES = 1000;
const MOST_SERVERS = 4;

/**
 * Those who look things up for others remember for long that something was not there; those who keep the zone know at
 * once that it is.
 */
export function createZoneKeepers(questions: ZoneQuestions, options: KeeperOptions): ZoneKeepers {
  const known = new Map<string, { servers: readonly string[]; until: number }>();
  const remember = (name: string, servers: readonly string[]) => {
    if (known.size >= MOST_ZONES) known.clear();
    known.set(name, { servers, until: performance.now() + KEPT_MS });
    return servers;
  };
  const find = async (name: string): Promise<readonly string[]> => {
    const kept = known.get(name);
    if (kept && kept.until > performance.now()) return kept.servers;
    const above = name.slice(name.indexOf('.') + 1);
    const servers = (await keepersAt(questions, name, options)) ?? (above.includes('.') ? await find(above) : []);
    return remember(name, servers);
  };
  return {
    async of(name) {
      try {
        return await find(name);
      } catch (error) {
        if (error instanceof DnsUnavailable) return remember(name, []);
        throw error;
      }
    },
    avoid: (name) => void remember(name, []),
  };
}

/** Null: no zone begins there. */
async function keepersAt(
  questions: ZoneQuestions,
  name: string,
  { port, named }: KeeperOptions,
): Promise<string[] | null> {
  const [hosts, link] = await Promise.all([questions.nameServers(name), questions.linkOf(name)]);
  // Where a link leads to a zone, its servers are told; they have no say in the name that leads there.
  if (hosts.length === 0 || link !== undefined) return null;
  const addresses = await Promise.all(hosts.slice(0, MOST_SERVERS).map((host) => questions.addresses(host)));
  // Whoever has a zone says where its servers are: that must not lead into the network that the platform is in.
  return addresses
    .flat()
    .filter((address) => isPublicAddress(address) || named.includes(address))
    .slice(0, MOST_SERVERS)
    .map((address) => (isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`));
}
