/**
 * What the world's DNS says. An answer of none (the name is not there, or has no such record) is an empty list; that
 * nobody could be asked, or that the servers of the name fail, is `DnsUnavailable`, with words for a person.
 */
export interface DnsLookup {
  /** A and AAAA records, links followed. */
  addresses(name: string): Promise<string[]>;
  /** Where the name's own CNAME record leads, and on from there; lower case, without dots at the end. */
  aliases(name: string): Promise<string[]>;
  /** Each TXT record as one text. */
  texts(name: string): Promise<string[]>;
  /** Whether a zone begins at this name: such a name cannot have a CNAME record. */
  isZoneApex(name: string): Promise<boolean>;
}

export class DnsUnavailable extends Error {}
