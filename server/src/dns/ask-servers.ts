import { Resolver } from 'node:dns/promises';
import { DnsUnavailable } from './dns-lookup.ts';

export interface Question<T> {
  /** What it is about, for people. */
  name: string;
  ask: (resolver: Resolver) => Promise<T[]>;
  /** Null: the system's own. */
  servers: readonly string[] | null;
  /** With all that is tried. */
  withinMs: number;
}

const TRY_MS = 1500;

/** None where there is none; fails with `DnsUnavailable` where nobody can tell. */
export async function askServers<T>({ name, ask, servers, withinMs }: Question<T>): Promise<T[]> {
  // A new one for each: the system's servers may have changed, and nothing is remembered from before.
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), withinMs);
  try {
    return await ask(resolver);
  } catch (error) {
    return noneOrUnavailable(name, error);
  } finally {
    clearTimeout(timer);
  }
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
