import { standingOf, type DomainStanding } from '@lilac/contract/domain-steps';
import type { OutputOf } from '../../lib/api-types.ts';

export type DomainState = OutputOf<'environments.check-domain'>;
export type Environment = OutputOf<'environments.list'>[number];

const QUICK_MS = 2000;
const SLOW_MS = 15_000;
/** For some minutes somebody may sit there and create the record. */
const QUICK_LOOKS = 150;

/** How long until it is worth looking again; null where nothing is awaited. */
export function pauseAfter(state: DomainState, unchangedLooks: number): number | null {
  const standing = standingOf(state);
  if (standing === 'none' || standing === 'served' || standing === 'proxied') return null;
  return standing === 'failed' || standing === 'unaddressed' || unchangedLooks >= QUICK_LOOKS ? SLOW_MS : QUICK_MS;
}

/** Whether somebody should do something about it, and how urgently it is said. */
export const tones: Record<Exclude<DomainStanding, 'none'>, 'good' | 'busy' | 'warning' | 'bad'> = {
  unaddressed: 'warning',
  looking: 'busy',
  missing: 'warning',
  wrong: 'warning',
  ordered: 'busy',
  waiting: 'warning',
  served: 'good',
  proxied: 'good',
  astray: 'warning',
  failed: 'bad',
};

/** Lilac is at it; where it is not, somebody has to do something first, and nothing turns meanwhile. */
export function isAtWork(state: DomainState): boolean {
  const standing = standingOf(state);
  return standing !== 'none' && tones[standing] === 'busy' && state.error === null;
}

/** What can be done at once though it is done again by itself; null where there is nothing to try. */
export function retryOf(state: DomainState): 'look' | 'try' | null {
  const standing = standingOf(state);
  if (standing === 'failed' || standing === 'waiting' || isEndangered(state)) return 'try';
  const isSought = standing === 'missing' || standing === 'wrong' || standing === 'astray';
  return isSought || (standing === 'looking' && state.error !== null) ? 'look' : null;
}

/** Served, with something to say besides: its certificate cannot be renewed. */
export function isEndangered(state: DomainState): boolean {
  return standingOf(state) === 'served' && state.error !== null;
}

/** It is not served as it should be, and Lilac alone cannot mend that. */
export function isTroubled(state: DomainState): boolean {
  const standing = standingOf(state);
  if (standing === 'none') return false;
  return tones[standing] === 'good' ? isEndangered(state) : !isAtWork(state);
}
