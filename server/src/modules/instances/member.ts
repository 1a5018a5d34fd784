import type { Exit } from '../../runtime/runtime.ts';
import type { InstanceAddress } from '../../routing/route.ts';

/** One instance as the fleet knows it. */
export interface Member {
  readonly id: string;
  readonly deploymentId: string;
  /** Null while the runtime has not said where it will be. */
  address: InstanceAddress | null;
  readonly startedAtMs: number;
  /**
   * `starting`: nobody has seen it listen. `unwell`: it answers, but not as its health path should.
   * `sick`: it listened, and does not answer any more.
   */
  condition: 'starting' | 'up' | 'unwell' | 'sick' | 'ended';
  /** Since when it is in that condition, or ill in either way. */
  sinceMs: number;
  /** Looks in a row that found something wrong, or nothing. */
  failedChecks: number;
  passedChecks: number;
  /** Whether ever a look found nothing wrong. */
  hasBeenWell: boolean;
  /** It took no connection when it was last looked at. */
  isDeaf: boolean;
  /** What the last look found that was not well. */
  ailment: string;
  /** Edges doubted that it answers, and it did when it was asked: how many requests made them, and when. */
  cleared: { doubts: number; atMs: number };
  /** It has been unwell for so long that another is started beside it; it goes when there is a better one. */
  isSpare: boolean;
  /**
   * The addresses of databases that it was given, as text; null: an earlier process started it, or it is not known yet.
   */
  addresses: string | null;
  /** They are others by now: another one is started beside it, and it goes when that one is up. */
  isOutdated: boolean;
  /** It has been up for so long that it did not crash at its start. */
  isStable: boolean;
  /** Set when it is to go; that is never taken back. */
  retirement: Retirement | null;
}

export interface Retirement {
  /** From this version of the routes on, no edge gives it a request; null while it is still listed. */
  version: number | null;
  /** When every edge had reached the version. */
  confirmedAtMs: number | null;
}

/** What became of an instance before it listened. */
export type BootEnd =
  | { kind: 'up' }
  | { kind: 'unreachable'; message: string; lines: string[] }
  | { kind: 'refused'; message: string; lines: string[] }
  | MemberEnd;

/** How an instance ended. */
export type MemberEnd =
  | { kind: 'exit'; exit: Exit; livedMs: number; lines: string[] }
  /** It was stopped, or nobody watches any more. */
  | { kind: 'gone' };

export function newMember(of: { id: string; deploymentId: string; nowMs: number; startedAtMs?: number }): Member {
  const { id, deploymentId, nowMs, startedAtMs = nowMs } = of;
  return {
    id,
    deploymentId,
    address: null,
    startedAtMs,
    condition: 'starting',
    sinceMs: nowMs,
    failedChecks: 0,
    passedChecks: 0,
    hasBeenWell: false,
    isDeaf: false,
    ailment: '',
    cleared: { doubts: 0, atMs: 0 },
    isSpare: false,
    addresses: null,
    isOutdated: false,
    isStable: false,
    retirement: null,
  };
}

/** Who is ill in another way than before has been ill all the time. */
export function turnMember(member: Member, condition: Member['condition'], nowMs: number): void {
  const isStillIll = isIll(member.condition) && isIll(condition);
  member.condition = condition;
  if (!isStillIll) member.sinceMs = nowMs;
}

/** It serves, or will: what counts as capacity. */
export function isCapacity({ condition, retirement, isSpare, isOutdated }: Member): boolean {
  if (retirement !== null || isSpare || isOutdated) return false;
  return condition === 'starting' || condition === 'up' || condition === 'unwell';
}

/** It was found to be well, and not to be ill since. */
export function isWell({ condition, hasBeenWell }: Member): boolean {
  return condition === 'up' && hasBeenWell;
}

export function isIll(condition: Member['condition']): boolean {
  return condition === 'unwell' || condition === 'sick';
}
