import { Resolver } from 'node:dns/promises';
import { DnsUnavailable, type DnsLookup } from './dns-lookup.ts';

export interface DnsLookupOptions {
  /** `9.9.9.9`, `192.0.2.1:5353`, `[2001:db8::1]:53`; null: the system's own. */
  servers: readonly string[] | null;
  /** How long one question may take, with all that is tried for it. */
  withinMs?: number;
}

const WITHIN_MS = 5000;
const TRY_MS = 1500;
/** Servers follow no more links than this either. */
const MOST_LINKS = 10;

export function createDnsLookup({ servers, withinMs = WITHIN_MS }: DnsLookupOptions): DnsLookup {
  const ask = async <T>(name: string, question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> => {
    // A new one for each: the system's servers may have changed, and nothing is remembered from before.
    const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), withinMs);
    try {
      return await question(resolver);
    } catch (error) {
      return noneOrUnavailable(name, error);
    } finally {
      clearTimeout(timer);
    }
  };
  const linkOf = async (name: string): Promise<string | undefined> => {
    const [target] = await ask(name, (resolver) => resolver.resolveCname(name));
    return target?.toLowerCase().replace(/\.$/, '');
  };
  const aliases = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (let next = await linkOf(name); next && found.length < MOST_LINKS; next = await linkOf(next)) {
      if (found.includes(next)) break;
      found.push(next);
    }
    return found;
  };
  return {
    aliases,
    async addresses(name) {
      const [four, six] = await Promise.all([
        ask(name, (resolver) => resolver.resolve4(name)),
        ask(name, (resolver) => resolver.resolve6(name)),
      ]);
      return [...four, ...six];
    },
    async texts(name) {
      const records = await ask(name, (resolver) => resolver.resolveTxt(name));
      return records.map((pieces) => pieces.join(''));
    },
    async isZoneApex(name) {
      const [starts, link] = await Promise.all([
        ask(name, async (resolver) => [await resolver.resolveSoa(name)]),
        linkOf(name),
      ]);
      // Where a link leads to a zone, servers answer with that zone's beginning.
      return starts.length > 0 && link === undefined;
    },
  };
}

/** The codes of c-ares that mean: it was asked, and there is none. */
const NONE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

function noneOrUnavailable(name: string, error: unknown): [] {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (NONE.has(code)) return [];
  if (typeof code !== 'string') throw error;
  throw new DnsUnavailable(describe(name, code), { cause: error });
}

function describe(name: string, code: string): string {
  switch (code) {
    case 'ESERVFAIL':
      return `The DNS servers of ${name} fail (SERVFAIL). Ask whoever keeps the DNS of this domain.`;
    case 'EREFUSED':
      return `The DNS servers of ${name} refuse to answer. Ask whoever keeps the DNS of this domain.`;
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return `The DNS servers of ${name} did not answer in time. If that goes on, ask whoever keeps the DNS of this domain.`;
    case 'ECONNREFUSED':
      return `No DNS server could be asked for ${name}. The operator of this platform can name others by LILAC_DNS_SERVERS.`;
    default:
      return `The DNS could not be asked for ${name} (${code}). If that goes on, ask the operator of this platform.`;
  }
}
