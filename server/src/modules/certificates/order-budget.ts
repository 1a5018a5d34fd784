import { describeTime } from '../../certificates/describe-time.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { findNthOrder, type Counted } from './order-budget-store.ts';
import { registeredDomainOf } from '../../lib/registered-domain.ts';

const HOUR_MS = 60 * 60_000;
export const LONGEST_WINDOW_MS = 7 * 24 * HOUR_MS;

/**
 * Well below what public authorities allow an account (300 orders in three hours), a domain (50 certificates in a week)
 * and a name (5 refusals in an hour), so that nobody uses up what others need. First orders and renewals together stay
 * below what an account may order.
 */
export const orderLimits = {
  // Of five that authorities issue for the very same names in a week: the others are for renewals.
  same: { most: 3, windowMs: LONGEST_WINDOW_MS },
  name: { most: 5, windowMs: HOUR_MS },
  inVain: { most: 30, windowMs: 3 * HOUR_MS },
  organisation: { most: 40, windowMs: 3 * HOUR_MS },
  domain: { most: 30, windowMs: LONGEST_WINDOW_MS },
  platform: { most: 200, windowMs: 3 * HOUR_MS },
} as const;
/** How many renewals that can wait are ordered within this time is a setting. */
export const RENEWALS_WINDOW_MS = 3 * HOUR_MS;

export interface Wait {
  until: Date;
  /** Why and until when, for who waits. */
  message: string;
  /** Only so that not all are renewed at once: whoever sees room for it has it ordered sooner. */
  isPace: boolean;
}

export interface Planned {
  hostname: string;
  /** Null: the platform itself. */
  organisationId: string | null;
  now: Date;
}

/** How long an order has to wait; null: it need not. */
export function findWait(db: Db | Tx, { kind, ...planned }: Planned & { kind: PlannedKind }): Promise<Wait | null> {
  return longest(db, [...vainRules(planned), ...rulesOf(kind, planned)], planned.now);
}

/** How long another attempt has to wait after one in vain; null: no longer than after any. */
export function findWaitAfterFailure(db: Db | Tx, planned: Planned): Promise<Wait | null> {
  return longest(db, vainRules(planned), planned.now);
}

/**
 * A renewal that cannot wait is held back by what came to nothing only; one that somebody wants now, by those of its
 * organisation too; one that can wait, by so many of its like, though not until it cannot.
 */
export type PlannedKind = 'first' | 'urgent' | Pace;

export interface Pace {
  isWanted: boolean;
  mostRenewals: number;
  urgentAt: Date;
  goodUntil: Date;
}

function rulesOf(kind: PlannedKind, planned: Planned): Rule[] {
  if (kind === 'first') return firstRules(planned);
  if (kind === 'urgent') return [];
  if (kind.isWanted) return wantedRules(planned, kind);
  return [
    {
      counted: 'renewals',
      limit: { most: kind.mostRenewals, windowMs: RENEWALS_WINDOW_MS },
      what: `The limit of renewals within three hours is reached; this certificate ends ${describeTime(kind.goodUntil)}.`,
      latest: kind.urgentAt,
    },
  ];
}

function wantedRules({ organisationId }: Planned, { urgentAt: latest }: Pace): Rule[] {
  if (organisationId === null) return [];
  const what = 'Your organisation has renewed as many certificates as it may within three hours.';
  return [{ counted: { renewalsOf: organisationId }, limit: orderLimits.organisation, what, latest }];
}

interface Rule {
  counted: Counted;
  limit: { most: number; windowMs: number };
  what: string;
  /** It waits for no longer than this. */
  latest?: Date;
}

function vainRules({ hostname, organisationId }: Planned): Rule[] {
  const { name, inVain } = orderLimits;
  const ofName: Rule = {
    counted: { inVainFor: hostname },
    limit: name,
    what: `${name.most} orders for ${hostname} failed within an hour.`,
  };
  if (organisationId === null) return [ofName];
  const what = `${inVain.most} orders of your organisation failed within three hours.`;
  return [ofName, { counted: { inVainOf: organisationId }, limit: inVain, what }];
}

function firstRules({ hostname, organisationId }: Planned): Rule[] {
  if (organisationId === null) return [];
  const domain = registeredDomainOf(hostname);
  return [
    {
      counted: { firstOf: organisationId },
      limit: orderLimits.organisation,
      what: 'Your organisation has ordered as many certificates as it may within three hours.',
    },
    {
      counted: { firstIssuedFor: hostname },
      limit: orderLimits.same,
      what: `${orderLimits.same.most} first certificates for ${hostname} were issued within a week, as it changed hands.`,
    },
    {
      counted: { issuedFor: domain },
      limit: orderLimits.domain,
      what: `The limit of certificates for names of ${domain} within a week is reached.`,
    },
    {
      counted: 'first',
      limit: orderLimits.platform,
      what: 'The limit of first certificates within three hours is reached.',
    },
  ];
}

async function longest(db: Db | Tx, rules: readonly Rule[], now: Date): Promise<Wait | null> {
  const waits: Wait[] = [];
  for (const { counted, limit, what, latest } of rules) {
    const { most, windowMs } = limit;
    const last = await findNthOrder(db, counted, { most, since: new Date(now.getTime() - windowMs) });
    if (last === null) continue;
    const freeMs = last.getTime() + windowMs;
    const until = new Date(Math.min(freeMs, latest?.getTime() ?? freeMs));
    waits.push({ until, isPace: counted === 'renewals', message: `${what} ${ownLimit(until)}` });
  }
  return waits.toSorted((one, other) => other.until.getTime() - one.until.getTime())[0] ?? null;
}

const ownLimit = (until: Date): string =>
  `That is this platform's own limit, not the certificate authority's: it is ordered automatically ${describeTime(until)}; ` +
  'the operator of the platform can have it ordered sooner.';
