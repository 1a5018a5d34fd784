import { isCapacity, isWell, type Member } from './member.ts';

export interface Stability {
  /** Those that have stayed up for long enough by now, and had not when they were last looked at. */
  newlyStable: readonly Member[];
  /** Whether all have, and no other is wanted. */
  isEnough: boolean;
}

interface StabilityInput {
  /** How many instances there should be. */
  desired: number;
  nowMs: number;
  stableMs: number;
}

/** Who of a deployment's instances proves that it can stay up. */
export function judgeStability(members: readonly Member[], { desired, nowMs, stableMs }: StabilityInput): Stability {
  const isStable = (member: Member) => isWell(member) && nowMs - member.startedAtMs >= stableMs;
  const able = members.filter(isCapacity);
  return {
    newlyStable: able.filter((member) => !member.isStable && isStable(member)),
    isEnough: desired > 0 && able.length >= desired && able.every(isStable),
  };
}
