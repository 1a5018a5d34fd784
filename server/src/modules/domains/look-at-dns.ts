import { setTimeout as delay } from 'node:timers/promises';
import { DnsUnavailable, type DnsLookup } from '../../dns/dns-lookup.ts';
import { hasTwoLabels, isWildcard, probeNameOf } from './hostname.ts';
import type { DnsFindings } from './judge-dns.ts';
import type { OwnershipText } from './ownership.ts';

/** All of a look together: servers that are slow must not keep others waiting. */
const LOOK_WITHIN_MS = 8000;

/** Asks for all that may tell something of a name. What cannot be asked for is as if it were not there, and told. */
export async function lookAtDns(
  dns: DnsLookup,
  { hostname, text }: { hostname: string; text: OwnershipText },
): Promise<Omit<DnsFindings, 'isPassedOn'>> {
  const name = probeNameOf(hostname);
  const troubles: string[] = [];
  const ask = async (question: Promise<string[]>): Promise<string[] | null> => {
    try {
      return await inTime(question, name);
    } catch (error) {
      if (!(error instanceof DnsUnavailable)) throw error;
      troubles.push(error.message);
      return null;
    }
  };
  const [aliases, addresses, texts] = await Promise.all([
    ask(dns.aliases(name)),
    ask(dns.addresses(name)),
    ask(dns.texts(text.name)),
  ]);
  return {
    name,
    aliases: aliases ?? [],
    isAliasUnknown: aliases === null,
    addresses: addresses ?? [],
    texts: texts ?? [],
    trouble: troubles[0] ?? null,
  };
}

/** Whether a name cannot have a CNAME record. Null: the DNS cannot be asked at the moment. */
export async function findApex(dns: Pick<DnsLookup, 'isZoneApex'>, hostname: string): Promise<boolean | null> {
  if (isWildcard(hostname)) return false;
  if (hasTwoLabels(hostname)) return true;
  try {
    return await inTime(dns.isZoneApex(hostname), hostname);
  } catch (error) {
    if (error instanceof DnsUnavailable) return null;
    throw error;
  }
}

function inTime<T>(question: Promise<T>, name: string): Promise<T> {
  const late = delay(LOOK_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new DnsUnavailable(
      `The DNS servers of ${name} take too long to answer. If that goes on, ask whoever keeps the DNS of this domain.`,
    );
  });
  return Promise.race([question, late]);
}
