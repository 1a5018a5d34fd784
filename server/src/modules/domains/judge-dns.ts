import { isPublicAddress } from '../../dns/public-address.ts';
import { isSpecialUse, isWildcard } from './hostname.ts';
import { isAmong } from './platform-addresses.ts';
import { leadingRecords, type WantedName } from './records.ts';

/** What the DNS said. */
export interface DnsFindings {
  /** The name that was asked for: of a wildcard any one below it. */
  name: string;
  aliases: readonly string[];
  /** It could not be asked for: there may be one. */
  isAliasUnknown: boolean;
  addresses: readonly string[];
  texts: readonly string[];
  /** Whoever answers at these addresses asks this platform: a proxy of the owner's. Asked only where it matters. */
  isPassedOn: boolean;
  /** Why a part of it could not be asked for; null: all of it was. */
  trouble: string | null;
}

export interface DnsVerdict {
  /** It belongs to whoever added it. */
  isProved: boolean;
  /**
   * Visitors come here, by records that are this environment's or proved to be; null: nobody can tell at the moment.
   */
  isPointing: boolean | null;
  /** What is amiss and what to do; null: nothing. */
  error: string | null;
  /** What of it is with the records; null: nothing, or nobody can tell. */
  fault: 'missing' | 'wrong' | null;
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
  // A link to another environment's name says who is meant; the name may be somebody else's tomorrow.
  const isOthers = here.appsName !== null && !here.isByOwnName;
  const isProved =
    isByText ||
    (wanted.proofs.byAlias && here.isByOwnName) ||
    (wanted.proofs.byAddress && here.isByAddress && here.appsName === null && !found.isAliasUnknown);
  const comesHere = here.isByAddress || here.appsName !== null;
  const isPointing = isByText ? comesHere || found.isPassedOn : comesHere && !isOthers && !found.isAliasUnknown;
  if (isPointing && (isProved || wanted.wasProved)) {
    return { isProved, isPointing, error: null, fault: null };
  }
  if (found.trouble !== null) return { isProved, isPointing: isPointing || null, error: found.trouble, fault: null };
  const isThere = found.aliases.length > 0 || found.addresses.length > 0;
  return comesHere
    ? { isProved, isPointing, error: notProved(wanted, here), fault: isOthers ? 'wrong' : 'missing' }
    : { isProved, isPointing, error: notPointing(wanted, found, isByText), fault: isThere ? 'wrong' : 'missing' };
}

/** Whether whoever asks at the name asks this platform, whosever records lead there; null: nobody can tell. */
export function reachesHere(wanted: Judged, found: DnsFindings): boolean | null {
  const { isByAddress, appsName } = leadsHere(wanted, found);
  if (isByAddress || appsName !== null || found.isPassedOn) return true;
  return found.trouble === null ? false : null;
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

function notProved(wanted: Judged, { appsName, isByOwnName }: Here): string {
  const { hostname, target, text, proofs, wasProved } = wanted;
  const othersName = isByOwnName ? null : appsName;
  const create = `create a TXT record at ${text.name} with the value ${text.value}.`;
  if (othersName !== null && (proofs.byAlias || wasProved)) {
    return `${hostname} leads to ${othersName}, which is not this environment's name. Let its CNAME record lead to ${target}, or ${create}`;
  }
  if (isWildcard(hostname)) return `${hostname} leads here. To show that it is yours, ${create}`;
  return `${hostname} leads here, but ${whyNoProof(wanted, isByOwnName)}. To show that it is yours, ${create}`;
}

/** The first that holds: where others had the name, a link to whatever name proves nothing either. */
function whyNoProof({ target, doubts }: Judged, isByOwnName: boolean): string {
  if (isByOwnName && doubts.isFormerTarget && !doubts.wereThere) {
    return `another organisation of this platform had ${target} before, and the record may have been made for them`;
  }
  if (!isByOwnName && doubts.isNearPlatform && !doubts.wereThere && !doubts.areAround) {
    return 'it belongs to the same domain as this platform, whose own records may lead here';
  }
  return 'another organisation of this platform has, or had, it or a name next to it';
}

function notPointing(wanted: Judged, { name, aliases, addresses }: DnsFindings, isByText: boolean): string {
  const records = leadingRecords(wanted);
  const [record] = records;
  if (!record) return NO_ADDRESS;
  const create = `the ${record.type} record at ${record.name} with the value ${record.value}`;
  if (aliases.length === 0 && addresses.length === 0) {
    return `No ${record.type} record was found at ${record.name} yet. Create ${create}.`;
  }
  const isLink = aliases.length > 0 || record.type === 'CNAME';
  const values = records.map(({ type, value }) => `${type} ${value}`);
  const instead = isLink ? `Create ${create} in its place.` : `It should have ${values.join(', ')} and no other.`;
  const proxy =
    ' If a proxy of yours is there, it must pass on /.well-known/acme-challenge/ on port 80 to this platform.';
  return `${found(wanted, { name, aliases, addresses })} ${instead}${isByText ? proxy : ''}`;
}

/** What the DNS told from the inside of the operator's network is nobody's business: only that it is something else. */
function found(
  wanted: Judged,
  { name, aliases, addresses }: Pick<DnsFindings, 'name' | 'aliases' | 'addresses'>,
): string {
  const foreign = addresses.filter((address) => !isAmong(wanted.addresses, address));
  const shown = foreign.filter(isPublicAddress);
  const hasHidden = shown.length < foreign.length;
  const end = aliases.at(-1);
  if (end !== undefined) {
    const isShown = !hasHidden && !aliases.some(isSpecialUse);
    return `${name} leads to ${isShown ? end : 'a name that is not public'}, which is not here.`;
  }
  if (foreign.length === 1) {
    return `${name} has ${hasHidden ? 'an address that is not public' : `the address ${foreign[0]}`}, which is not this platform's.`;
  }
  const listed = [...shown, ...(hasHidden ? ['some that are not public'] : [])];
  return `${name} has the addresses ${listed.join(', ')}, which are not this platform's.`;
}
