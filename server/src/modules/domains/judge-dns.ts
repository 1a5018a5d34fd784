import { isWildcard } from './hostname.ts';
import { isAmong } from './platform-addresses.ts';
import { leadingRecords, type WantedName } from './records.ts';

/** What the DNS said. */
export interface DnsFindings {
  /** The name that was asked for: of a wildcard any one below it. */
  name: string;
  aliases: readonly string[];
  addresses: readonly string[];
  texts: readonly string[];
  /** Why a part of it could not be asked for; null: all of it was. */
  trouble: string | null;
}

export interface DnsVerdict {
  /** It belongs to whoever added it. */
  isProved: boolean;
  /** Visitors come here, or to a proxy of the owner's; null: nobody can tell at the moment. */
  isPointing: boolean | null;
  /** What is amiss and what to do; null: nothing. */
  error: string | null;
}

export interface Judged extends WantedName {
  appsDomain: string;
  /** From an earlier look: that is never asked for again. */
  wasProved: boolean;
}

export const NO_ADDRESS =
  'This platform does not know by which address the world reaches it. Its operator has to set LILAC_PUBLIC_ADDRESSES, ' +
  'or LILAC_APPS_DOMAIN to a domain that leads here.';

export function judgeDns(wanted: Judged, found: DnsFindings): DnsVerdict {
  const here = leadsHere(wanted, found);
  const isByText = found.texts.includes(wanted.text.value);
  const isProved =
    isByText ||
    (wanted.proofs.byAlias && here.isByOwnName) ||
    // A link to another environment's name says who is meant.
    (wanted.proofs.byAddress && here.isByAddress && here.appsName === null);
  const isPointing = here.isByAddress || here.appsName !== null || (isByText && found.addresses.length > 0);
  if (isPointing && (isProved || wanted.wasProved)) return { isProved, isPointing, error: null };
  if (found.trouble !== null) return { isProved, isPointing: isPointing || null, error: found.trouble };
  const error = isPointing ? notProved(wanted, here.appsName) : notPointing(wanted, found);
  return { isProved, isPointing, error };
}

interface Here {
  isByAddress: boolean;
  isByOwnName: boolean;
  /** The generated name that it links to, whosever it is. */
  appsName: string | null;
}

function leadsHere({ target, appsDomain, addresses }: Judged, found: DnsFindings): Here {
  const isApps = (name: string) => target !== null && name.endsWith(`.${appsDomain}`);
  return {
    isByAddress: found.addresses.length > 0 && found.addresses.every((address) => isAmong(addresses, address)),
    isByOwnName: target !== null && found.aliases.includes(target),
    appsName: found.aliases.find(isApps) ?? null,
  };
}

function notProved({ hostname, target, text, proofs }: Judged, appsName: string | null): string {
  const create = `create a TXT record at ${text.name} with the value ${text.value}.`;
  if (proofs.byAlias && appsName !== null) {
    return `${hostname} leads to ${appsName}, which is not this environment's name. Let its CNAME record lead to ${target}, or ${create}`;
  }
  if (isWildcard(hostname)) return `${hostname} leads here. To show that it is yours, ${create}`;
  return (
    `${hostname} leads here, but another organisation of this platform has, or had, it or a name next to it. ` +
    `To show that it is yours, ${create}`
  );
}

function notPointing(wanted: Judged, { name, aliases, addresses }: DnsFindings): string {
  const [record] = leadingRecords(wanted);
  if (!record) return NO_ADDRESS;
  const values = leadingRecords(wanted).map(({ type, value }) => `${type} ${value}`);
  const create = `the ${record.type} record at ${record.name} with the value ${record.value}`;
  if (aliases.length > 0)
    return `${name} leads to ${aliases.at(-1)}, which is not here. Create ${create} in its place.`;
  if (addresses.length === 0) return `No ${record.type} record was found at ${record.name} yet. Create ${create}.`;
  const foreign = addresses.filter((address) => !isAmong(wanted.addresses, address));
  const have =
    foreign.length === 1 ? `the address ${foreign[0]}, which is` : `the addresses ${foreign.join(', ')}, which are`;
  const instead =
    record.type === 'CNAME' ? `Create ${create} in its place.` : `It should have ${values.join(', ')} and no other.`;
  return `${name} has ${have} not this platform's. ${instead}`;
}
