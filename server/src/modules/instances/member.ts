import type { Exit } from '../../runtime/runtime.ts';
import type { InstanceAddress } from '../../routing/route.ts';

/** One instance as the fleet knows it. */
export interface Member {
  readonly id: string;
  readonly deploymentId: string;
  /** Null while the runtime has not said where it will be. */
  address: InstanceAddress | null;
  readonly startedAtMs: number;
  /** `starting`: nobody has seen it listen. `sick`: it listened, and does not answer any more. */
  condition: 'starting' | 'up' | 'sick' | 'ended';
  /** Since when it is in that condition. */
  sinceMs: number;
  failedChecks: number;
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
    isStable: false,
    retirement: null,
  };
}

/** It serves, or will: what counts as capacity. */
export function isCapacity({ condition, retirement }: Member): boolean {
  return retirement === null && (condition === 'starting' || condition === 'up');
}
