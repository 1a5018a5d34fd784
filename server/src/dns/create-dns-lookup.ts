import type { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { askServers } from './ask-servers.ts';
import { DnsUnavailable, type DnsLookup } from './dns-lookup.ts';
import { createZoneKeepers } from './zone-keepers.ts';

export interface DnsLookupOptions {
  /** `9.9.9.9`, `192.0.2.1:5353`, `[2001:db8::1]:53`; null: the system's own. */
  servers: readonly string[] | null;
  /** How long one question may take, with all that is tried for it. */
  withinMs?: number;
  /** Where those who keep zones listen. */
  keepersPort?: number;
}

const WITHIN_MS = 4000;
/** Where they cannot be reached, others are asked. */
const KEEPERS_WITHIN_MS = 2000;
/** Servers follow no more links than this either. */
const MOST_LINKS = 10;

type Ask = <T>(name: string, question: (resolver: Resolver) => Promise<T[]>) => Promise<T[]>;

export function createDnsLookup({ servers, withinMs = WITHIN_MS, keepersPort = 53 }: DnsLookupOptions): DnsLookup {
  const askOthers: Ask = (name, ask) => askServers({ name, ask, servers, withinMs });
  const askForKeepers: Ask = (name, ask) =>
    askServers({ name, ask, servers, withinMs: Math.min(withinMs, KEEPERS_WITHIN_MS) });
  const keepers = createZoneKeepers(
    {
      nameServers: (name) => askForKeepers(name, (resolver) => resolver.resolveNs(name)),
      linkOf: (name) => linkOf(askForKeepers, name),
      addresses: (name) => addressesOf(askForKeepers, name),
    },
    { port: keepersPort, named: (servers ?? []).map(hostOf) },
  );
  const ask: Ask = async (name, question) => {
    const known = await keepers.of(name);
    if (known.length > 0) {
      try {
        const found = await askServers({ name, ask: question, servers: known, withinMs: KEEPERS_WITHIN_MS });
        if (found.length > 0) return found;
      } catch (error) {
        if (!(error instanceof DnsUnavailable)) throw error;
        keepers.avoid(name);
      }
    }
    return askOthers(name, question);
  };
  const aliases = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (let next = await linkOf(ask, name); next && found.length < MOST_LINKS; next = await linkOf(ask, next)) {
      if (found.includes(next)) break;
      found.push(next);
    }
    return found;
  };
  /** Those who keep a zone do not follow links that lead out of it. */
  const endOf = async (name: string): Promise<string> => (await aliases(name)).at(-1) ?? name;
  return {
    aliases,
    addresses: async (name) => addressesOf(ask, await endOf(name)),
    async texts(name) {
      const end = await endOf(name);
      const records = await ask(end, (resolver) => resolver.resolveTxt(end));
      return records.map((pieces) => pieces.join(''));
    },
    async isZoneApex(name) {
      const [starts, link] = await Promise.all([
        ask(name, async (resolver) => [await resolver.resolveSoa(name)]),
        linkOf(ask, name),
      ]);
      // Where a link leads to a zone, servers answer with that zone's beginning.
      return starts.length > 0 && link === undefined;
    },
  };
}

/** `192.0.2.1:5353` and `[2001:db8::1]:53` without their port. */
function hostOf(server: string): string {
  if (isIP(server)) return server;
  return server.replace(/:\d+$/, '').replaceAll(/^\[|\]$/g, '');
}

async function linkOf(ask: Ask, name: string): Promise<string | undefined> {
  const [target] = await ask(name, (resolver) => resolver.resolveCname(name));
  return target?.toLowerCase().replace(/\.$/, '');
}

async function addressesOf(ask: Ask, name: string): Promise<string[]> {
  const [four, six] = await Promise.all([
    ask(name, (resolver) => resolver.resolve4(name)),
    ask(name, (resolver) => resolver.resolve6(name)),
  ]);
  return [...four, ...six];
}
