import { Fault } from '../../lib/fault.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { countFailures, forgetFailures, lastWindowEnd, uncountFailure } from './attempt-store.ts';
import { bucketsOf, retryAfterSeconds, type Attempt } from './attempt.ts';

/**
 * Lets a guess at a secret happen only while few have failed, by address and by account (`bucketsOf`), and answers
 * CA009 otherwise. The failure is counted before the guess and taken back after a success, so that
 * many guesses at once get no further than one after another.
 *
 * The guess throws when it was wrong.
 */
export async function throttleAttempt<T>(deps: StoreDeps, attempt: Attempt, guess: () => Promise<T>): Promise<T> {
  const { db } = deps.store;
  const { account, address } = bucketsOf(attempt);
  const buckets = address === null ? [account] : [account, address];
  await countOrRefuse(deps, buckets);
  try {
    const result = await guess();
    await forgetFailures(db, account);
    if (address !== null) await uncountFailure(db, address);
    return result;
  } catch (error) {
    if (!isWrongGuess(error)) for (const bucket of buckets) await uncountFailure(db, bucket);
    throw error;
  }
}

/** A failure of ours is not held against the caller. */
function isWrongGuess(error: unknown): boolean {
  return error instanceof Fault && !error.code.startsWith('SV');
}

async function countOrRefuse({ store, clock }: StoreDeps, buckets: string[]): Promise<void> {
  const now = clock.now();
  const counted = await countFailures(store.db, buckets, now);
  if (counted.length === buckets.length) return;
  for (const bucket of counted) await uncountFailure(store.db, bucket);
  const full = buckets.filter((bucket) => !counted.includes(bucket));
  const windowEndsAt = await lastWindowEnd(store.db, full);
  throw new Fault('CA009', 'Too many failed attempts. Try again later.', {
    retryAfterSeconds: retryAfterSeconds(windowEndsAt ?? now, now),
  });
}
