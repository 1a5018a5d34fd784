import type { VcsAttemptRow } from '../../../db/schema.ts';
import { open } from './attempt-store.ts';

/** What is over counts as news for so long, for who connects a moment too late. */
export const NEWS_MS = 60_000;

/** What a client has seen last. */
export interface Seen {
  attemptId: string;
  progress: bigint;
  changedAt: number;
}

const EVENT_ID = /^(\d{1,15})-(vca_[0-9a-z]{26})-(\d{1,15})$/;

export function eventIdOf({ id, progress, changed_at }: VcsAttemptRow): string {
  return `${changed_at.getTime()}-${id}-${progress}`;
}

/** Null for what we never sent: anybody may send anything. */
export function readEventId(text: string | null): Seen | null {
  const [, changedAt, attemptId, progress] = EVENT_ID.exec(text ?? '') ?? [];
  if (!changedAt || !attemptId || !progress) return null;
  return { attemptId, progress: BigInt(progress), changedAt: Number(changedAt) };
}

/**
 * What to tell somebody who begins to follow. Who was here before gets all that has changed since. Who was not gets the
 * last that happened, if it is still of interest; what was before that is not theirs: they may follow an attempt that
 * they have just begun.
 */
export function firstNews(
  attempts: readonly VcsAttemptRow[],
  { seen, now }: { seen: Seen | null; now: Date },
): VcsAttemptRow[] {
  if (!seen) return attempts.slice(-1).filter((attempt) => isOfInterest(attempt, now));
  return attempts.filter(
    ({ id, progress, changed_at }) =>
      changed_at.getTime() >= seen.changedAt && !(id === seen.attemptId && BigInt(progress) <= seen.progress),
  );
}

function isOfInterest({ state, changed_at, expires_at }: VcsAttemptRow, now: Date): boolean {
  const isGoingOn = open.includes(state) || state === 'confirm';
  return isGoingOn ? expires_at > now : changed_at.getTime() >= now.getTime() - NEWS_MS;
}
