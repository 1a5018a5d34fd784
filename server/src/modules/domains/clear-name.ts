import { setTimeout as delay } from 'node:timers/promises';
import type { DomainRow } from '../../db/schema.ts';
import { conflict } from '../../lib/fault.ts';
import { findDomainAt, hadOthers, type HeldDomain } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { findApex, lookAtDns } from './look-at-dns.ts';
import { ownershipText } from './ownership.ts';
import { targetOf } from './wanted-name.ts';

const APEX_WITHIN_MS = 1500;

/** A name that may be given to an environment, as far as the DNS has a say in it. */
export interface ClearedName {
  hostname: string;
  isApex: boolean;
  /**
   * The domain of another organisation that has the name, and gives way; as long as it is no better proved than it was.
   */
  takesFrom: Pick<DomainRow, 'id' | 'verified_at'> | null;
}

export interface NameRequest {
  organisationId: string;
  hostname: string;
  /** Null where it is yet to be created. */
  subdomain: string | null;
}

type ClearingDeps = Pick<DomainsDeps, 'dns' | 'ownershipKey' | 'store'> & {
  config: Pick<DomainsDeps['config'], 'appsDomain'>;
};

/** Before the transaction that gives it away: the DNS is asked, and may take its time. */
export async function clearName(deps: ClearingDeps, request: NameRequest): Promise<ClearedName> {
  const { hostname, organisationId } = request;
  const [isApex, holder] = await Promise.all([
    // Nobody waits for servers that are slow: whether it is one is asked again at every look.
    Promise.race([findApex(deps.dns, hostname), delay(APEX_WITHIN_MS, null, { ref: false })]),
    findDomainAt(deps.store.db, hostname),
  ]);
  const isOthers = holder !== null && holder.organisation_id !== organisationId;
  if (isOthers) await assertGivesWay(deps, request, holder);
  return {
    hostname,
    isApex: isApex ?? false,
    takesFrom: isOthers ? { id: holder.id, verified_at: holder.verified_at } : null,
  };
}

/**
 * Whoever never proved the name gives way to who does. Whoever did gives way to the TXT record only, which nobody but
 * the name's owner can have written for another organisation: a CNAME record may lead to a generated name that has
 * changed hands.
 */
async function assertGivesWay(
  { dns, ownershipKey, config, store }: ClearingDeps,
  { hostname, organisationId, subdomain }: NameRequest,
  holder: HeldDomain,
): Promise<void> {
  const text = ownershipText(ownershipKey, { organisationId, hostname });
  const { aliases, texts, trouble } = await lookAtDns(dns, { hostname, text });
  const leadsTo = (name: string | null) => name !== null && aliases.includes(name);
  const isByText = texts.includes(text.value);
  if (holder.verified_at === null) {
    const leadsToUs = subdomain !== null && leadsTo(targetOf(config, subdomain));
    if (isByText || (leadsToUs && !(await hadOthers(store.db, { subdomain, organisationId })))) return;
    throw takenByOthers(hostname, `create a TXT record at ${text.name} with the value ${text.value}`);
  }
  const theirs = ownershipText(ownershipKey, { organisationId: holder.organisation_id, hostname });
  const theyProve = [
    ...(texts.includes(theirs.value) ? [`the TXT record ${theirs.value}`] : []),
    ...(leadsTo(targetOf(config, holder.subdomain)) ? ['the CNAME record'] : []),
  ];
  // What could not be asked for may be their proof.
  const isKnown = trouble === null;
  if (isByText && theyProve.length === 0 && isKnown) return;
  if (isByText && !isKnown) {
    throw conflict(
      `It cannot be checked now whether ${hostname} still belongs to another organisation. ${trouble} Try again later.`,
    );
  }
  const remove = theyProve.length === 0 ? '' : `remove ${theyProve.join(' and ')} at ${hostname}, and `;
  throw takenByOthers(hostname, `${remove}create a TXT record at ${text.name} with the value ${text.value}`);
}

/** For somebody who cannot know whose it is. */
function takenByOthers(hostname: string, toDo: string) {
  return conflict(`Another organisation of this platform has ${hostname}. If it is yours, ${toDo}, and add it again.`);
}
