import { readIfThere } from '../../lib/read-if-there.ts';

/** Who resolves names for instances. */
export interface NameServers {
  servers: readonly string[];
  /** The resolv.conf to show; null where the host's own serves. */
  text: string | null;
}

const HOST_FILE = '/etc/resolv.conf';
/** Where systemd's resolver says whom it asks. */
const UPSTREAM_FILE = '/run/systemd/resolve/resolv.conf';

export function readNameServers(): NameServers {
  return chooseNameServers(readIfThere(HOST_FILE) ?? '', readIfThere(UPSTREAM_FILE) ?? '');
}

/**
 * A resolver on the host's loopback is out of reach from a network of one's own, and so is every IPv6
 * address: then those it asks itself are named instead.
 */
export function chooseNameServers(host: string, upstream: string): NameServers {
  const named = serversOf(host);
  if (named.length > 0 && named.every(isReachable)) return { servers: named, text: null };
  const servers = [...new Set([...named, ...serversOf(upstream)])].filter(isReachable);
  const kept = host.split('\n').filter((line) => /^\s*(search|domain|options)\s/.test(line));
  return { servers, text: [...servers.map((server) => `nameserver ${server}`), ...kept, ''].join('\n') };
}

function serversOf(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
}

function isReachable(server: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(server) && !server.startsWith('127.') && server !== '0.0.0.0';
}
