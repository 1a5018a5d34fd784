import { describeTime } from '../../certificates/describe-time.ts';
import type { Db } from '../../db/pool.ts';
import { findNthOrder, type Counted } from './order-budget-store.ts';

const HOUR_MS = 60 * 60_000;
export const LONGEST_WINDOW_MS = 7 * 24 * HOUR_MS;

/**
 * Well below what public authorities allow an account (300 orders in three hours) and a domain (50 in a week), so that
 * nobody uses up what others need. Renewals are held back by none of these: what is left is for them.
 */
export const orderLimits = {
  organisation: { most: 40, windowMs: 3 * HOUR_MS },
  domain: { most: 30, windowMs: LONGEST_WINDOW_MS },
  platform: { most: 200, windowMs: 3 * HOUR_MS },
} as const;

export interface Wait {
  until: Date;
  /** Why and until when, for who waits. */
  message: string;
}

/** How long a first certificate has to wait; null: it need not. */
export async function findWait(
  db: Db,
  { organisationId, domain, now }: { organisationId: string; domain: string; now: Date },
): Promise<Wait | null> {
  const limits: { counted: Counted; limit: { most: number; windowMs: number }; what: string }[] = [
    {
      counted: { organisationId },
      limit: orderLimits.organisation,
      what: 'Your organisation has ordered as many certificates as it may within three hours.',
    },
    {
      counted: { domain },
      limit: orderLimits.domain,
      what: `As many certificates were ordered for names of ${domain} as may be within a week.`,
    },
    {
      counted: 'all',
      limit: orderLimits.platform,
      what: 'This platform has ordered as many new certificates as it may within three hours; what is left is for renewals.',
    },
  ];
  const waits: Wait[] = [];
  for (const {
    counted,
    limit: { most, windowMs },
    what,
  } of limits) {
    const last = await findNthOrder(db, counted, { most, since: new Date(now.getTime() - windowMs) });
    if (last === null) continue;
    const until = new Date(last.getTime() + windowMs);
    waits.push({
      until,
      message: `${what} This one is ordered by itself ${describeTime(until)}; there is nothing to be done.`,
    });
  }
  return waits.toSorted((one, other) => other.until.getTime() - one.until.getTime())[0] ?? null;
}
